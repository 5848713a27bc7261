// SPDX-License-Identifier: Apache-2.0

import Reprise
import RepriseTestSupport
import Testing

/// Something that every transport has to do.
struct ConformanceCase: Sendable, CustomTestStringConvertible {
    /// What it does, as a sentence about a transport.
    let name: String
    /// Whether it makes sense for a transport that has no connections.
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

    /// All of them.
    static let all = heads + bodies + flow + endings + requests + connections + redirections + failures + security

    static func named(_ name: String) -> ConformanceCase {
        guard let found = all.first(where: { $0.name == name }) else { preconditionFailure("no case \(name)") }
        return found
    }

    /// The start of a head whose content comes by and by. Apple's Foundation keeps the first 512 bytes of some types back
    /// to guess what they are, but not of this one.
    static let ok = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

    /// Runs the case. What fails is recorded as an issue, and so is a case that hangs; it is left behind then.
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
            if !isDone { Issue.record("\(name): not over after \(limit)") }
            break
        }
        alarm.cancel()
        work.cancel()
    }
}
