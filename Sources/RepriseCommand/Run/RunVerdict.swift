// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import RepriseServer

/// The result of `mockserver run`: its exit status, and what it reports. Pure.
struct RunVerdict: Equatable {
    let status: Int32
    /// What to write to standard error.
    let messages: [String]

    /// The status if the command passed, but its result means nothing.
    static let unreliable: Int32 = 70

    /// The end of a recording.
    enum Recording: Equatable {
        case finished(exchanges: Int, refused: Int, notes: [String], path: String)
        /// Because the command failed, or because something was not answered.
        case abandoned(path: String)
        /// The error.
        case failed(String)
    }

    /// Whether a recording should be written: never that of a run that fails.
    static func keepsRecording(_ end: CommandProcess.End, _ traffic: TrafficSummary) -> Bool {
        end == .exited(0) && traffic.unansweredCount == 0
    }

    /// - Parameters:
    ///   - hint: What to check if there were no requests.
    ///   - recording: The end of the recording; nil if nothing was recorded on purpose.
    init(_ end: CommandProcess.End, _ traffic: TrafficSummary, _ hint: String, _ recording: Recording? = nil) {
        var messages: [String] = []
        var isReliable = true
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
        case .abandoned(let path): messages.append("nothing was recorded, because the run failed; \(path) is unchanged")
        case .failed(let error):
            isReliable = false
            messages.append(error)
        case .finished(let exchanges, let refused, let notes, let path):
            messages += notes.map { "note: \($0)" }
            if exchanges > 0 { messages.append("recorded \(Report.count(exchanges, "exchange")) into \(path)") }
            if refused > 0 { messages.append("\(Report.count(refused, "exchange")) not written") }
            if exchanges == 0 || refused > 0 { isReliable = false }
        }
        if isReliable, recording == nil { messages.append("answered \(Report.count(traffic.requestCount, "request"))") }
        status = end == .exited(0) && !isReliable ? Self.unreliable : end.status
        if status == Self.unreliable, end == .exited(0) {
            messages.append("exiting with \(Self.unreliable), although the command passed")
        }
        self.messages = messages
    }
}
