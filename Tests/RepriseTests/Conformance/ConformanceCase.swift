// SPDX-License-Identifier: Apache-2.0

import Reprise
import RepriseTestSupport
import Testing

/// A requirement that every transport must meet.
struct ConformanceCase: Sendable, CustomTestStringConvertible {
    /// The requirement, as a sentence about a transport.
    let name: String
    /// Whether it applies to a transport without connections.
    let isForStubs: Bool
    private let body: @Sendable (ConformanceSubject) async throws -> Void

    init(
        _ name: String,
        isForStubs: Bool = false,
        _ body: @escaping @Sendable (ConformanceSubject) async throws -> Void
    ) {
        self.name = name
        self.isForStubs = isForStubs
        self.body = body
    }

    var testDescription: String { name }

    static let all =
        heads + bodies + codings + flow + endings + requests + connections + redirections + failures + security

    static func named(_ name: String) -> ConformanceCase {
        guard let found = all.first(where: { $0.name == name }) else { preconditionFailure("no case \(name)") }
        return found
    }

    /// The start of a head whose content arrives in parts. Apple's Foundation holds back the first 512 bytes of some
    /// content types to detect the actual type, but not of this one.
    static let ok = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

    /// Runs the case. A failure is recorded as an issue, and so is a case that exceeds `limit`, which is then canceled.
    func run(with transport: TransportUnderTest, within limit: Duration) async {
        let (ends, end) = AsyncStream<Bool>.makeStream()
        let work = Task {
            do {
                try await body(ConformanceSubject(transport))
            } catch {
                if !Task.isCancelled { Issue.record(error) }
            }
            end.yield(true)
        }
        let alarm = Task {
            try? await Task.sleep(for: limit)
            end.yield(false)
        }
        for await isDone in ends {
            if !isDone { Issue.record("\(name): not complete after \(limit)") }
            break
        }
        alarm.cancel()
        work.cancel()
    }
}
