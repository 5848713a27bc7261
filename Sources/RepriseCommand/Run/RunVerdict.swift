// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import RepriseRecording
import RepriseServer

/// The result of `mockserver run`: its exit status, and what it reports. Pure.
struct RunVerdict: Equatable {
    let status: Int32
    /// What to write to standard error.
    let messages: [String]

    /// What is wrong with the recording; nil if it is complete, if the command failed, or if the run does not record.
    let recordingProblem: String?

    /// The status if the command passed, but its result cannot be trusted.
    static let unreliable: Int32 = 70

    /// How a recording ended.
    enum Recording: Equatable {
        case finished(exchanges: Int, refused: Int, notes: [String], path: String)
        /// Not written, because the command failed, a request was not answered, or the recording is not complete.
        ///
        /// - Parameters:
        ///   - shortcomings: What the recording lacks; nil if it lacks nothing.
        ///   - notes: The notes on the recording.
        case abandoned(path: String, exists: Bool, shortcomings: String? = nil, notes: [String] = [])
        /// The recording could not be written, because of this error.
        case failed(String)
    }

    /// Whether a recording should be written: never that of a run that fails.
    static func keepsRecording(
        _ end: CommandProcess.End,
        _ traffic: TrafficSummary,
        _ recording: CassetteRecorder.Summary
    ) -> Bool {
        end == .exited(0) && traffic.unansweredCount == 0 && recording.shortcomings == nil
    }

    /// - Parameters:
    ///   - hint: What to check if there were no requests.
    ///   - recording: The end of the recording; nil if the run does not record.
    init(_ end: CommandProcess.End, _ traffic: TrafficSummary, _ hint: String, _ recording: Recording? = nil) {
        var messages: [String] = []
        var isReliable = true
        var problem: String?
        if traffic.unansweredCount > 0 {
            isReliable = false
            let requests = Report.count(traffic.requestCount, "request")
            messages.append("nothing answered \(traffic.unansweredCount) of \(requests):")
            messages += traffic.explanations()
        } else if traffic.requestCount == 0 {
            isReliable = false
            messages.append("expected requests to the mock server, found none; \(hint)")
        }
        switch recording {
        case nil: break
        case .abandoned(let path, let exists, let shortcomings, let notes):
            let result = exists ? "is unchanged" : "was not created"
            if end == .exited(0), let shortcomings {
                problem = ([shortcomings] + notes).joined(separator: "\n")
                messages += notes.map { "note: \($0)" } + [shortcomings]
            }
            messages.append("nothing was recorded, because the run failed; \(path) \(result)")
        case .failed(let error):
            problem = error
            messages.append(error)
        case .finished(let exchanges, let refused, let notes, let path):
            messages += notes.map { "note: \($0)" }
            if exchanges > 0 { messages.append("recorded \(Report.count(exchanges, "exchange")) into \(path)") }
            if refused > 0 { messages.append("\(Report.count(refused, "exchange")) not written") }
            if exchanges == 0 || refused > 0 {
                problem = (["the recording is \(exchanges == 0 ? "empty" : "incomplete")"] + notes).joined(
                    separator: "\n"
                )
            }
        }
        recordingProblem = problem
        isReliable = isReliable && problem == nil
        if isReliable, recording == nil { messages.append("answered \(Report.count(traffic.requestCount, "request"))") }
        status = end == .exited(0) && !isReliable ? Self.unreliable : end.status
        if status == Self.unreliable, end == .exited(0) {
            messages.append("exiting with \(Self.unreliable), although the command passed")
        }
        self.messages = messages
    }
}
