// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import RepriseTesting

/// Two hundred tests in one process, each with its own cassette, all with the same requests.
@Suite struct ParallelCassettesTests {
    private static let count = 200
    private static let folder: TemporaryFolder? = {
        let folder = try? TemporaryFolder()
        for number in 0..<count {
            let exchanges = [("/who", "test \(number)"), ("/who", "again \(number)"), ("/last", "last \(number)")]
            try? folder?.write(cassetteText(exchanges), to: "test-\(number).cassette.json")
        }
        return folder
    }()

    private static func useCassette(_ number: Int) async throws {
        let folder = try #require(folder)
        try await withCassette("test-\(number)", in: folder.url) { _ in
            let first = try await text(at: "/who")
            #expect(first == "test \(number)")
            await Task.yield()
            // A child task inherits the cassette.
            async let last = text(at: "/last")
            let second = try await text(at: "/who")
            #expect(second == "again \(number)")
            let found = try await last
            #expect(found == "last \(number)")
        }
    }

    @Test(arguments: 0..<count)
    func replaysOwnCassette(number: Int) async throws {
        try await Self.useCassette(number)
    }

    /// All tests use their cassettes at the same time, which a lock around each test would prevent.
    @Test func allCassettesAreOpenAtOnce() async throws {
        let folder = try #require(Self.folder)
        let arrivals = Arrivals(Self.count)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<Self.count {
                group.addTask {
                    try await withCassette("test-\(number)", in: folder.url) { _ in
                        let first = try await text(at: "/who")
                        #expect(first == "test \(number)")
                        await arrivals.waitForAll()
                        let second = try await text(at: "/who")
                        #expect(second == "again \(number)")
                        let last = try await text(at: "/last")
                        #expect(last == "last \(number)")
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Suspends each task until all of them have arrived.
    private actor Arrivals {
        private var missing: Int
        private var waiting: [CheckedContinuation<Void, Never>] = []

        init(_ count: Int) {
            missing = count
        }

        func waitForAll() async {
            missing -= 1
            guard missing > 0 else {
                for continuation in waiting { continuation.resume() }
                return
            }
            await withCheckedContinuation { waiting.append($0) }
        }
    }
}
