// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The answers shown in `Fixtures/README.md` are the answers of the server.
@Suite struct DocumentedFixturesTests {
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test func answersAsDocumented() async throws {
        let readme = Self.repository.appending(path: "Fixtures/README.md")
        let examples = ConsoleExample.all(in: try String(contentsOf: readme, encoding: .utf8))
        let arguments = ["Fixtures/", "--port", "0", "--quiet", "--pace", "instant"]
        let server = try MockServerProcess(arguments, in: Self.repository)
        let port = try await server.port()
        var compared = 0
        for example in examples {
            guard let command = CurlCommand(example) else { continue }
            let output = try await command.output(port: port)
            let isCut = example.output.hasSuffix("…")
            #expect(isCut ? output.hasPrefix(example.output.dropLast()) : output == example.output, "\(example)")
            compared += 1
        }
        #expect(compared >= 15, "of \(examples.count) examples")
        server.signal(SIGTERM)
        #expect(try await server.result().status == 0)
    }
}
