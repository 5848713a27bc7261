// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import Testing

@testable import RepriseTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How a request of the shared session finds its cassette.
@Suite struct SharedSessionTests {
    private static let url = URL(string: "https://api.example.com/who")!

    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for name in ["a", "b"] { try folder.write(cassetteText([("/who", name)]), to: "\(name).cassette.json") }
        return folder
    }

    /// Sends a request outside of any task.
    private static func textInCallback(_ url: URL = url) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                URLSession.shared.dataTask(with: url) { data, _, error in
                    continuation.resume(returning: data?.text ?? error?.localizedDescription ?? "")
                }.resume()
            }
        }
    }

    @Test(arguments: 0..<20)
    func parallelTestsFindTheirOwnCassettes(number: Int) async throws {
        let (folder, name) = (try Self.folder(), number.isMultiple(of: 2) ? "a" : "b")
        try await withCassette(name, in: folder.url, environment: [:]) { _ in
            let text = try await URLSession.shared.data(from: Self.url).0.text
            #expect(text == name)
        }
    }

    @Test func innerCassetteReplacesOuterOne() async throws {
        let folder = try Self.folder()
        try await withCassette("a", in: folder.url, environment: [:]) { _ in
            try await withCassette("b", in: folder.url, environment: [:]) { _ in
                let text = try await URLSession.shared.data(from: Self.url).0.text
                #expect(text == "b")
            }
            let text = try await URLSession.shared.data(from: Self.url).0.text
            #expect(text == "a")
        }
    }

    @Test func callbackFailsIfSeveralCassettesAreOpen() async throws {
        let folder = try Self.folder()
        try await withCassette("a", expectsRequests: false, in: folder.url, environment: [:]) { _ in
            try await Task.detached {
                try await withCassette("b", expectsRequests: false, in: folder.url, environment: [:]) { _ in
                    let text = await Self.textInCallback()
                    #expect(text.contains("several cassettes are open") && text.contains("sessionConfiguration"))
                }
            }.value
        }
    }

    /// It may belong to another test that runs at the same time.
    @Test(.disabled(if: CommandLine.arguments.contains("--no-parallel")))
    func callbackIsNotRecorded() async throws {
        let folder = try TemporaryFolder()
        let mode = ["REPRISE_MODE": "overwrite"]
        try await withCassette("new", expectsRequests: false, in: folder.url, environment: mode) { _ in
            let text = await Self.textInCallback()
            #expect(text.contains("sessionConfiguration"), "\(text)")
        }
        #expect(folder.names.isEmpty)
    }

    /// As without a cassette, because the server may be that of another test.
    @Test func callbackReachesThisMachine() async throws {
        let (fixtures, folder) = (try TemporaryFolder(), try Self.folder())
        try fixtures.write("Hello", to: "greeting.get.txt")
        try await withMockServer(in: fixtures.url) { server in
            try await withCassette("a", expectsRequests: false, in: folder.url, environment: [:]) { _ in
                let text = await Self.textInCallback(server.url.appending(path: "greeting"))
                #expect(text == "Hello")
            }
        }
    }

    /// Another test's requests do not change its cookies.
    @Test func cookiesStayInTheirCassette() async throws {
        let origin = SessionOrigin()
        let found = try await origin.recordAndReplay { url, _ in
            let first = try await URLSession.shared.data(from: url.appending(path: "echo/before")).0.text
            let login = try await URLSession.shared.data(from: url.appending(path: "login")).0.text
            let stored = HTTPCookieStorage.shared.cookies(for: url)?.map(\.name).sorted() ?? []
            return [first, login.contains("id=7") ? "sent" : login] + stored
        }
        #expect(found == ["GET ||", "sent"])
    }

    /// The session of the live transport does not ask the cassette again.
    @Test func recordsOverSharedSession() async throws {
        let (fixtures, folder) = (try TemporaryFolder(), try Self.folder())
        try fixtures.write("Hello", to: "greeting.get.txt")
        try await withMockServer(in: fixtures.url) { server in
            let mode = ["REPRISE_MODE": "overwrite"]
            // Open while the transport is created.
            try await withCassette("absent", in: folder.url, environment: [:]) { _ in
                let live = URLSessionTransport(session: .shared)
                try await withCassette("new", in: folder.url, over: live, environment: mode) { _ in
                    let url = server.url.appending(path: "greeting")
                    let text = try await URLSession.shared.data(from: url).0.text
                    #expect(text == "Hello")
                }
            }
        }
    }

    #if os(Linux) || os(macOS)
        /// In a process of its own, where no other cassette is open.
        @Test func callbackFindsOnlyOpenCassetteAndSharedSessionIsRestored() async throws {
            await #expect(processExitsWith: .success) {
                let folder = try Self.folder()
                let configuration = URLSession.shared.configuration
                let (cache, classes) = (configuration.urlCache, configuration.protocolClasses?.count)
                try await withCassette("a", in: folder.url, environment: [:]) { _ in
                    let text = await Self.textInCallback()
                    precondition(text == "a", text)
                }
                precondition(configuration.urlCache === cache && configuration.protocolClasses?.count == classes)
            }
        }
    #endif

    #if canImport(FoundationNetworking)
        /// `SharedSession` relies on this. If it fails, Foundation has changed.
        @Test func configurationOfSharedSessionIsNoCopy() {
            #expect(URLSession.shared.configuration === URLSession.shared.configuration)
        }

        /// If this fails, a cassette can answer the sessions that code makes with a default configuration.
        @Test func newConfigurationsDoNotAskCassette() async throws {
            let folder = try Self.folder()
            try await withCassette("a", expectsRequests: false, in: folder.url, environment: [:]) { _ in
                for configuration in [URLSessionConfiguration.default, .ephemeral] {
                    #expect(configuration.protocolClasses?.contains { $0 is CassetteURLProtocol.Type } == false)
                }
            }
        }

        /// If this fails, `URLProtocol.registerClass` reaches the shared session on Linux too, and `SharedSession` can
        /// use it.
        @Test func registeredProtocolsDoNotReachSessions() async throws {
            _ = URLProtocol.registerClass(RegisteredProtocol.self)
            defer { URLProtocol.unregisterClass(RegisteredProtocol.self) }
            let session = URLSession(configuration: .ephemeral)
            let url = try #require(URL(string: "http://127.0.0.1:1/registered-protocol"))
            let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
            #expect(error?.code != .userAuthenticationRequired)
        }
    #endif
}

#if canImport(FoundationNetworking)
    private final class RegisteredProtocol: URLProtocol {
        override class func canInit(with request: URLRequest) -> Bool {
            request.url?.path == "/registered-protocol"
        }
        override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
        override func startLoading() {
            client?.urlProtocol(self, didFailWithError: URLError(.userAuthenticationRequired))
        }
        override func stopLoading() {}
    }
#endif
