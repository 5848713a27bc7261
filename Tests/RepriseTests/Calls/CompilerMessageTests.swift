// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    import Foundation
    import RepriseTestSupport
    import Testing

    /// What the compiler reports about common mistakes.
    @Suite(.timeLimit(.minutes(3))) struct CompilerMessageTests {
        @Test(arguments: ["let book = try await api.get(\"/x\").value()", "_ = try await api.get(\"/x\").value()"])
        func valueWithoutTypeNamesRemedy(line: String) async throws {
            let messages = try await typeCheck("func load(_ api: Client) async throws { \(line) }")
            #expect(messages.contains("the type of the value is unknown; write value(as: User.self)"))
            #expect(!messages.contains("failed to produce diagnostic"))
        }

        @Test(arguments: ["get", "post", "delete", "head", "put", "patch", "options"])
        func stringAsPathNamesRemedy(method: String) async throws {
            let messages = try await typeCheck("func load(_ api: Client, path: String) { _ = api.\(method)(path) }")
            #expect(messages.contains("'\(method)' is unavailable: write \(method)(\"/users/"))
            #expect(messages.contains("or \(method)(RequestPath(raw: path))"))
        }

        @Test func inferredTypesOfValuesCompile() async throws {
            let messages = try await typeCheck(
                """
                func take(_ ids: [Int]) {}
                func load(_ api: Client) async throws -> String? {
                    let book: [String: Int] = try await api.get("/x").value()
                    take(try await api.get("/x").value())
                    _ = (api.post("/x/\\("y")"), api.get(RequestPath(raw: "/x")))
                    async let other: Int = api.get("/x").value()
                    _ = try await (book, other)
                    return try await api.get("/x").value()
                }
                """
            )
            #expect(messages == "")
        }

        /// Returns the errors of a program that imports Reprise.
        private func typeCheck(_ program: String) async throws -> String {
            let folder = try TemporaryFolder()
            let source = try folder.file("main.swift", Array("import Reprise\n\(program)\n".utf8))
            let output = try folder.file("output", [])
            let modules = Bundle.main.bundleURL.appending(path: "Modules").path
            let sources = URL(filePath: #filePath).appending(path: "../../../../Sources").standardized.path
            let libraries = ["CRepriseLibevent", "CRepriseOpenSSL", "CRepriseZlib"].flatMap {
                ["-I", "\(sources)/\($0)"]
            }
            let writing = try FileHandle(forWritingTo: output)
            let compiler = try ChildProcess(
                "/usr/bin/env",
                ["swiftc", "-typecheck", "-swift-version", "6", "-I", modules] + libraries + [source.path],
                errors: writing
            )
            _ = await compiler.exitStatus()
            return String(decoding: try Data(contentsOf: output), as: UTF8.self)
        }
    }
#endif
