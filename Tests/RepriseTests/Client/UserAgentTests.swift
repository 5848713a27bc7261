// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

@testable import Reprise

@Suite struct UserAgentTests {
    private let transport = ClosureTransport()

    private func client(_ configuration: Client.Configuration) -> Client {
        Client("https://h", transport: transport, configuration: configuration)
    }

    private func sent(_ call: Call) async throws -> String? {
        try await call.send()
        return transport.requests.last?.headerFields[.userAgent]
    }

    private let whole = UserAgent(
        name: "Atlas",
        version: "2.1",
        bundle: "com.example.atlas",
        build: "42",
        platform: "iOS",
        platformVersion: "18.1.0",
        library: "Lib",
        libraryVersion: "3"
    )

    @Test func isSentWithAllParts() async throws {
        let sent = try await sent(client(.init(userAgent: whole)).get("/"))
        #expect(sent == "Atlas/2.1 (com.example.atlas; build:42; iOS 18.1.0) Lib/3")
    }

    @Test func isAbsentUnlessConfigured() async throws {
        #expect(try await sent(client(.init()).get("/")) == nil)
    }

    @Test func explicitHeaderTakesPrecedence() async throws {
        let call = client(.init(userAgent: whole)).get("/").header(.userAgent, "own/1")
        #expect(try await sent(call) == "own/1")
        #expect(try call.request().headerFields[fields: .userAgent].count == 1)
        let configuration = Client.Configuration(headers: [.userAgent: "header/1"], userAgent: whole)
        #expect(try await sent(client(configuration).get("/")) == "header/1")
    }

    @Test func isSentToOtherHostsAndFollowsChanges() async throws {
        var api = client(.init(userAgent: whole))
        #expect(try await sent(api.get("https://other/"))?.hasPrefix("Atlas/") == true)
        api.configuration.userAgent?.name = "Globe"
        #expect(try await sent(api.get("/"))?.hasPrefix("Globe/2.1 ") == true)
        api.configuration.userAgent = nil
        #expect(try await sent(api.get("/")) == nil)
    }

    private static let parts: [(@Sendable (inout UserAgent, String?) -> Void, String)] = [
        ({ $0.name = $1 }, "(com.example.atlas; build:42; iOS 18.1.0) Lib/3"),
        ({ $0.version = $1 }, "Atlas (com.example.atlas; build:42; iOS 18.1.0) Lib/3"),
        ({ $0.bundle = $1 }, "Atlas/2.1 (build:42; iOS 18.1.0) Lib/3"),
        ({ $0.build = $1 }, "Atlas/2.1 (com.example.atlas; iOS 18.1.0) Lib/3"),
        ({ $0.platform = $1 }, "Atlas/2.1 (com.example.atlas; build:42; 18.1.0) Lib/3"),
        ({ $0.platformVersion = $1 }, "Atlas/2.1 (com.example.atlas; build:42; iOS) Lib/3"),
        ({ $0.library = $1 }, "Atlas/2.1 (com.example.atlas; build:42; iOS 18.1.0)"),
        ({ $0.libraryVersion = $1 }, "Atlas/2.1 (com.example.atlas; build:42; iOS 18.1.0) Lib"),
    ]

    @Test(arguments: parts)
    func omitsMissingParts(set: @Sendable (inout UserAgent, String?) -> Void, expected: String) {
        for nothing in [nil, ""] {
            var agent = whole
            set(&agent, nothing)
            #expect(agent.description == expected)
        }
    }

    @Test func readsValuesFromBundle() {
        let agent = UserAgent(bundle: [
            "CFBundleName": "Atlas", "CFBundleShortVersionString": "2.1", "CFBundleIdentifier": "com.example.atlas",
            "CFBundleVersion": "42",
        ])
        #expect(agent.description.hasPrefix("Atlas/2.1 (com.example.atlas; build:42; "))
    }

    @Test func hasDefaultsWithoutBundle() {
        let agent = UserAgent(bundle: [:])
        #expect(agent.name == ProcessInfo.processInfo.processName)
        #expect(agent.bundle == nil)
        #expect(agent.description.contains(/\(\w+ \d+\.\d+\.\d+\) Reprise\/\d+\.\d+$/))
        #if os(Linux)
            #expect(agent.platform == "Linux")
        #endif
    }

    /// Whatever the parts contain, the result is a valid field value with balanced comments.
    @Test func alwaysFormsValidFieldValue() async throws {
        #expect(UserAgent(name: "My App\r\nX-A: 1", library: "").description.hasPrefix("My-App-X-A-1 ("))
        var generator = SeededGenerator(seed: 36)
        for _ in 0..<500 {
            var agent = UserAgent()
            for (set, _) in Self.parts { set(&agent, generator.text()) }
            let text = agent.description
            #expect(text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
            var depth = 0
            var bytes = Array(text.utf8)[...]
            while let byte = bytes.popFirst() {
                switch byte {
                case UInt8(ascii: "\\"): bytes = bytes.dropFirst()
                case UInt8(ascii: "("): depth += 1
                case UInt8(ascii: ")"): depth -= 1
                default: break
                }
                #expect(depth == 0 || depth == 1)
            }
            #expect(depth == 0)
            let sent = try await sent(client(.init(userAgent: agent)).get("/"))
            #expect(sent == (text.isEmpty ? nil : text))
        }
    }
}
