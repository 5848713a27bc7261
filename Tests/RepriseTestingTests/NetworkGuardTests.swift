// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseServer
import Testing

@testable import Reprise
@testable import RepriseTesting

/// The ways in which a test could send a request without its cassette. A server of the test acts as a proxy to the
/// network, so that a request that gets through has an answer.
///
/// The tests run one after another, because a live cassette also allows the requests of tasks without a cassette.
#if os(Linux)
    @Suite(.serialized) struct NetworkGuardTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        private static let answer = "from the network"

        /// Runs `body` in a test with a cassette, with a client of its own that reaches a server through a proxy.
        ///
        /// - Returns: The error of the test.
        private func bypass(
            _ environment: [String: String] = [:],
            _ body: @Sendable @escaping (Client) async throws -> String
        ) async throws -> (any Error)? {
            try folder.write(Self.answer, to: "fixtures/books.get.txt")
            return try await withMockServer(in: folder.url.appending(path: "fixtures")) { server in
                let network = Self.network(server)
                let api = Client("http://api.example.com", transport: network)
                var failure: (any Error)?
                do {
                    let text = try await withCassette("absent", in: folder.url, environment: environment) { _ in
                        try await body(api)
                    }
                    Issue.record("the request was answered: \(text)")
                } catch {
                    failure = error
                }
                let count = await server.journal.entries.count
                #expect(count == 0)
                return failure
            }
        }

        private static func network(_ server: MockServer) -> SocketTransport {
            SocketTransport(.init(proxies: .variables(["http_proxy": server.url.absoluteString])))
        }

        private func isRefusal(_ error: (any Error)?, isInTask: Bool = true) -> Bool {
            let error = (error as? ClientError)?.underlying as? TransportError ?? error as? TransportError
            guard let error, error.code == .networkNotAllowed else { return false }
            return error.message.contains("Client(…, live: transport)")
                && error.message.contains(isInTask ? "/absent.cassette.json is open" : ".cassette.json")
        }

        @Test func refusesClientWithOwnTransport() async throws {
            let error = try await bypass { api in
                let cached = Client("http://api.example.com", transport: CachingTransport(api.ownTransport))
                return try await cached.get("/books").send().text
            }
            #expect(isRefusal(error))
        }

        @Test func refusesDetachedTask() async throws {
            let error = try await bypass { api in
                try await Task.detached { try await api.get("/books").send().text }.value
            }
            #expect(isRefusal(error, isInTask: false))
        }

        @Test func refusesCallStartedOnDispatchQueue() async throws {
            let error = try await bypass { api in
                try await withCheckedThrowingContinuation { continuation in
                    DispatchQueue.global().async {
                        api.get("/books").start(on: .global()) { result in
                            continuation.resume(with: result.map(\.text))
                        }
                    }
                }
            }
            #expect(isRefusal(error, isInTask: false))
        }

        @Test(arguments: ["once", "append", "overwrite", "passthrough"])
        func refusesRequestThatIsNotRecorded(mode: String) async throws {
            let error = try await bypass(["REPRISE_MODE": mode]) { try await $0.get("/books").send().text }
            #expect(isRefusal(error))
            #expect(folder.names.allSatisfy { !$0.hasSuffix(".cassette.json") })
        }

        @Test func refusesOnCIEvenWithoutOpenCassette() async throws {
            try folder.write(Self.answer, to: "books.get.txt")
            try await withMockServer(in: folder.url) { server in
                let api = Client("http://api.example.com", transport: Self.network(server))
                let error = await NetworkGuard.$environment.withValue(["CI": "true"]) {
                    await #expect(throws: ClientError.self) { try await api.get("/books").send() }
                }
                #expect((error?.underlying as? TransportError)?.code == .networkNotAllowed)
                // The server itself is on this machine.
                let text = try await NetworkGuard.$environment.withValue(["CI": "true"]) {
                    try await Client(server.url.absoluteString).get("/books").send().text
                }
                #expect(text == Self.answer)
            }
        }

        @Test func failsTestThatIgnoresRefusal() async throws {
            let error = try await bypass { api in
                (try? await api.get("/books").send().text) ?? "ignored"
            }
            #expect(isRefusal(error))
        }

        @Test func permitsLiveMode() async throws {
            try folder.write(Self.answer, to: "books.get.txt")
            try await withMockServer(in: folder.url) { server in
                let network = Self.network(server)
                try await withCassette("absent", mode: .live, in: folder.url, environment: [:]) { _ in
                    for api in [
                        Client("http://api.example.com", live: network),
                        Client("http://api.example.com", transport: network),
                    ] {
                        let text = try await api.get("/books").send().text
                        #expect(text == Self.answer)
                    }
                }
            }
        }

        /// Whether the tests overlap makes no difference to a test with a live cassette.
        @Test func permitsDetachedTaskOfLiveTestWhileAnotherCassetteIsOpen() async throws {
            try folder.write(Self.answer, to: "books.get.txt")
            try await withMockServer(in: folder.url) { server in
                let api = Client("http://api.example.com", transport: Self.network(server))
                let number = NetworkGuard.open("other.cassette.json")
                defer { NetworkGuard.close(number) }
                let text = try await withCassette("absent", mode: .live, in: folder.url, environment: [:]) { _ in
                    try await Self.text(ofDetached: api.get("/books"))
                }
                #expect(text == Self.answer)
                await #expect(throws: ClientError.self) { try await Self.text(ofDetached: api.get("/books")) }
            }
        }

        /// Sends a call from a task that inherits nothing, as if `CI` were not set.
        private static func text(ofDetached call: Call) async throws -> String {
            try await Task.detached {
                try await NetworkGuard.$environment.withValue([:]) { try await call.send().text }
            }.value
        }

        @Test func liveTestPermitsNothingToTestWithCassette() async throws {
            let number = NetworkGuard.open("other.cassette.json", isLive: true)
            defer { NetworkGuard.close(number) }
            #expect(isRefusal(try await bypass { try await $0.get("/books").send().text }))
        }

        // MARK: The live end of a client

        @Test func recordsAndReplaysClientsLiveTransport() async throws {
            try folder.write(Self.answer, to: "fixtures/books.get.txt")
            let cassettes = try TemporaryFolder()
            let server = try await withMockServer(in: folder.url.appending(path: "fixtures")) { server in
                try await withCassette("books", in: cassettes.url, environment: ["REPRISE_MODE": "once"]) { _ in
                    let text = try await Self.cached(Self.network(server)).get("/books").send().text
                    #expect(text == Self.answer)
                }
                let count = await server.journal.entries.count
                #expect(count == 1)
                return server
            }
            // The server has stopped.
            try await withCassette("books", afterLast: .repeat, in: cassettes.url, environment: [:]) { cassette in
                for api in [Self.cached(Self.network(server)), Client(Self.url, live: Self.network(server))] {
                    let text = try await api.get("/books").send().text
                    #expect(text == Self.answer)
                }
                #expect(cassette.report?.choices.count == 2)
            }
        }

        private static let url = "http://api.example.com"

        private static func cached(_ live: any Transport) -> Client {
            Client(url, transport: CachingTransport(), live: live)
        }

        @Test func separatesCachesOfTests() async throws {
            let api = Client(Self.url, transport: CachingTransport())
            let bodies = StubTransport { $0.get("/books", .text("1"), .text("2"), .text("3")) }
            var texts: [String] = []
            for _ in 1...2 {
                texts += try await withCassette(mode: .live, over: bodies, environment: [:]) { _ in
                    let first = try await api.get("/books").send().text
                    let again = try await api.get("/books").send().text
                    return [first, again]
                }
            }
            #expect(texts == ["1", "1", "2", "2"])
        }
    }

    extension Client {
        /// The transport that the client was created with.
        fileprivate var ownTransport: any Transport { shared.transport ?? LiveTransport.shared }
    }
#endif
