// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import RepriseTesting
import Testing
import Travelog

/// A backend for the app. The tests are the same for every backend, and so is the app, which creates its own client.
enum Backend: CaseIterable {
    /// A mock server that plays the test's cassette over a real connection.
    case live
    /// A replay of the same cassette in the process.
    case replayed
    /// Closures in the process.
    case stubbed

    /// The backends to test; while cassettes are recorded, only the one that records.
    static var all: [Backend] { environment["REPRISE_MODE"] == nil ? allCases : [.replayed] }
}

private let environment = ProcessInfo.processInfo.environment

/// Runs `body` with a journal that uses `backend`, and with the traffic between the two.
///
/// If a recorded request has a token, the request must have one, too, with any value.
///
/// - Parameter refusals: The number of requests that must be refused before any of them receives its response.
func withJournal(
    _ backend: Backend,
    untilRefused refusals: Int = 0,
    function: String = #function,
    _ body: nonisolated(nonsending) (Travelog, Traffic) async throws -> Void
) async throws {
    let name = String(function.prefix { $0 != "(" })
    switch backend {
    case .live:
        #if os(Linux) || os(macOS)
            var configuration = MockServer.Configuration()
            configuration.pace = .instant
            configuration.matching.append(.headers(["Authorization"]))
            try await withMockServer("\(name).cassette.json", configuration: configuration) { server in
                let traffic = Traffic(over: liveTransport, untilRefused: refusals)
                try await traffic.pass(to: "\(server.url)/v1", body)
            }
        #endif
    case .replayed:
        try await withCassette(name, matching: .standard + [.headers(["Authorization"])]) { cassette in
            let traffic = Traffic(over: cassette.transport, untilRefused: refusals)
            try await traffic.pass(to: environment["TRAVELOG_URL"] ?? "https://api.example.com/v1", body)
        }
    case .stubbed:
        let traffic = Traffic(over: makeStub(), untilRefused: refusals)
        try await traffic.pass(to: "https://api.example.com/v1", body)
    }
}

private var liveTransport: any Transport {
    #if os(Linux)
        SocketTransport()
    #else
        URLSessionTransport()
    #endif
}

extension Traffic {
    fileprivate nonisolated(nonsending) func pass(
        to url: String,
        _ body: nonisolated(nonsending) (Travelog, Traffic) async throws -> Void
    ) async throws {
        try await Ambient.$transport.withValue(self) { try await body(Travelog(url), self) }
    }
}
