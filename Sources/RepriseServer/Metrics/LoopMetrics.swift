// SPDX-License-Identifier: Apache-2.0

/// The metrics of one loop since the server started. Only the loop changes them, so counting needs no atomic
/// operations. When metrics are requested, the loop passes on a copy.
struct LoopMetrics: Sendable {
    /// The result of a request.
    enum Result: Int, CaseIterable, Sendable {
        /// A recording or a route file answered.
        case hit
        /// A stub answered.
        case stub
        /// Another server answered.
        case proxied
        /// A static file answered.
        case file
        /// Nothing answered.
        case miss
        /// The request was invalid.
        case refused
        /// The server itself answered, for example with the allowed methods.
        case own
        /// The request or the connection was passed on to a server that this one does not stand for.
        case passed
    }

    /// The number of answered requests, by ``Result/rawValue``.
    private(set) var requests = [Int](repeating: 0, count: Result.allCases.count)
    /// The times from the head of each request to the end of its answer.
    private(set) var durations = DurationHistogram()
    private(set) var cutOff = 0
    private(set) var accepted = 0

    mutating func count(_ result: Result) {
        requests[result.rawValue] &+= 1
    }

    mutating func completed(nanoseconds: UInt64) {
        durations.add(nanoseconds: nanoseconds)
    }

    mutating func countCutOff() {
        cutOff &+= 1
    }

    mutating func countConnection() {
        accepted &+= 1
    }
}

extension LoopMetrics.Result {
    /// Returns the result of a request. This is a function because an initializer would copy the answer.
    ///
    /// - Parameter server: The server or static file that answers instead of a fixture; nil if this server answers.
    static func of(_ answer: JournalRing.Answer, server: String?) -> LoopMetrics.Result {
        if answer.stub != nil { return .stub }
        if answer.fixture >= 0 { return .hit }
        if answer.isPassed { return .passed }
        if let server { return server.hasPrefix("http://") || server.hasPrefix("https://") ? .proxied : .file }
        if answer.isMiss { return .miss }
        return answer.status >= 400 ? .refused : .own
    }
}

/// Counts durations in ranges.
struct DurationHistogram: Sendable {
    /// The upper bounds of the ranges, in nanoseconds. Most answers of a mock server take less than the first.
    static let bounds: [UInt64] = [
        100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000,
        250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
    ]

    /// The number of durations in each range. The last one has no upper bound.
    private(set) var counts = [Int](repeating: 0, count: Self.bounds.count + 1)
    /// The sum of all durations, in nanoseconds.
    private(set) var sum: UInt64 = 0

    mutating func add(nanoseconds: UInt64) {
        sum &+= nanoseconds
        if nanoseconds <= 100_000 {
            counts[0] &+= 1
        } else {
            counts[Self.bounds.firstIndex { nanoseconds <= $0 } ?? Self.bounds.count] &+= 1
        }
    }

    static func += (sum: inout DurationHistogram, more: DurationHistogram) {
        for index in sum.counts.indices { sum.counts[index] += more.counts[index] }
        sum.sum &+= more.sum
    }
}
