// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
internal import RepriseLocking

#if canImport(FoundationEssentials)
    public import FoundationEssentials
    private import class Foundation.ProcessInfo
#else
    public import Foundation
#endif

/// Controls a mock server that runs in another process, such as on the host of an iOS simulator or in a container.
///
/// ```swift
/// let server = try await MockServerControl.fromEnvironment().openSession()
/// try await server.stub(.get("/profile"), .json(["name": "Ada"]))
/// let app = XCUIApplication()
/// app.launchEnvironment.merge(server.launchEnvironment) { $1 }
/// app.launch()
/// await server.verify(.get("/profile"), .exactly(1))
/// try await server.close()
/// ```
///
/// All methods call the admin API of the server over HTTP. You can call them from any thread.
public struct MockServerControl: Sendable {
    /// The environment variable with the URL of the server.
    public static let serverVariable = "REPRISE_SERVER"
    /// The environment variable with the token of the admin API, if the server has one.
    public static let tokenVariable = "MOCKSERVER_ADMIN_TOKEN"

    /// The base URL of the server, or of the session. Send the requests under test to this URL.
    public let url: URL
    /// The identifier of the session; `nil` outside sessions.
    public let sessionID: String?

    let client: AdminClient
    /// The client for the server itself, outside the session.
    let root: AdminClient
    let waits = Waits()

    /// How many requests ``next(_:within:)`` has returned for each pattern.
    final class Waits: Sendable {
        private let returned = Locked<[StubRequest: Int]>([:])

        /// Returns the number of requests already taken, and takes another.
        func take(_ request: StubRequest) -> Int {
            returned.withLock { known in
                defer { known[request, default: 0] += 1 }
                return known[request, default: 0]
            }
        }

        /// Gives back a request that was taken but did not arrive.
        func giveBack(_ request: StubRequest) {
            returned.withLock { $0[request, default: 1] -= 1 }
        }

        /// Forgets all requests taken so far.
        func reset() {
            returned.withLock { $0 = [:] }
        }
    }

    /// Controls the server at a URL.
    ///
    /// - Parameters:
    ///   - url: The base URL of the server, such as `http://127.0.0.1:8080`.
    ///   - token: The token of the admin API. It is required if this process and the server run on different machines.
    public init(_ url: URL, token: String? = nil) {
        var text = url.absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        self.init(url, HTTPRoad(base: text, token: token))
    }

    /// Controls a server that is reached by means other than HTTP.
    package init(_ url: URL, _ road: any AdminRoad) {
        let client = AdminClient(road: road)
        self.init(url, sessionID: nil, client: client, root: client)
    }

    init(_ url: URL, sessionID: String?, client: AdminClient, root: AdminClient) {
        self.url = url
        self.sessionID = sessionID
        self.client = client
        self.root = root
    }

    /// Controls the server that the environment names in `REPRISE_SERVER`, with the token in `MOCKSERVER_ADMIN_TOKEN`.
    ///
    /// `xcodebuild test` passes both variables to UI tests if you prefix their names with `TEST_RUNNER_`:
    /// `TEST_RUNNER_REPRISE_SERVER=http://127.0.0.1:8080 xcodebuild test …`.
    ///
    /// - Throws: ``ControlError`` if there is no such variable, or if its value is not a URL.
    public static func fromEnvironment() throws(ControlError) -> MockServerControl {
        try fromEnvironment(ProcessInfo.processInfo.environment)
    }

    package static func fromEnvironment(_ environment: [String: String]) throws(ControlError) -> MockServerControl {
        guard let text = environment[serverVariable], !text.isEmpty else {
            throw ControlError(
                .noServer,
                "expected the URL of a mock server in \(serverVariable), found nothing; start one with "
                    + "'mockserver Fixtures/' and set \(serverVariable)=http://127.0.0.1:8080"
            )
        }
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            url.host != nil
        else {
            throw ControlError(
                .noServer,
                "expected a URL such as http://127.0.0.1:8080 in \(serverVariable), found '\(text)'"
            )
        }
        return MockServerControl(url, token: environment[tokenVariable])
    }

    /// The environment for an app under test: `REPRISE_SERVER` with ``url``. It doesn't contain the token.
    public var launchEnvironment: [String: String] { [Self.serverVariable: url.absoluteString] }

    /// Resets the server or the session: removes added stubs, restores the others, starts every scenario and sequence
    /// over, and clears the received requests.
    ///
    /// - Throws: ``ControlError``.
    public func reset() async throws(ControlError) {
        try await client.send("POST", "/reset")
        waits.reset()
    }
}
