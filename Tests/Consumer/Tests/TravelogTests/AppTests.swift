// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
    import Foundation
    import RepriseControl
    import RepriseTesting
    import Testing

    /// The app as a process of its own, as in a UI test. The test decides what the server answers to it.
    @Suite struct AppTests {
        /// Three tests at a time share a server. Each has its own answer to the same request.
        @Test func appsShowWhatTheirOwnSessionsAnswer() async throws {
            try await withMockServer([]) { server in
                let control = MockServerControl(server.url)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 1...3 { group.addTask { try await showPhoto(number, from: control) } }
                    try await group.waitForAll()
                }
                #expect(try await server.requests().isEmpty)
            }
        }

        private func showPhoto(_ number: Int, from server: MockServerControl) async throws {
            try await server.withSession { session in
                let caption = JSONTree.string("Harbour \(number)")
                try await session.stub(
                    .post("/session"),
                    .json(["code": 0, "data": ["access_token": "access", "refresh_token": "refresh"]])
                )
                try await session.stub(
                    .get("/photos").header("Authorization", .equalTo("Bearer access")),
                    .json(["code": 0, "data": ["photos": [["id": "p-0", "caption": caption]]]])
                )
                let output = try await runApp(["photo.jpg"], environment: session.launchEnvironment)

                #expect(output.contains(#"photos: ["Harbour \#(number)"]"#))
                _ = try await session.next(.get("/photos"), within: .seconds(5))
                await session.verify(.post("/session").body(.matchesJSONPath("$.password")), .exactly(1))
                await session.verify(.get("/profile"), .never)
            }
        }

        /// Runs the app, and returns what it prints.
        private func runApp(_ arguments: [String], environment: [String: String]) async throws -> String {
            let process = Process()
            process.executableURL = Self.products.appending(path: "tour")
            process.arguments = arguments
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            let pipe = Pipe()
            process.standardOutput = pipe
            return try await withCheckedThrowingContinuation { continuation in
                process.terminationHandler = { _ in
                    let output = pipe.fileHandleForReading.readDataToEndOfFile()
                    continuation.resume(returning: String(decoding: output, as: UTF8.self))
                }
                do { try process.run() } catch { continuation.resume(throwing: error) }
            }
        }

        /// The folder of the programs and of the test bundle.
        private static var products: URL {
            let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
            return bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
        }
    }
#endif
