// SPDX-License-Identifier: Apache-2.0

import Reprise

struct Timing: Transport {
    let base: any Transport

    func send(
        _ request: HTTPRequest,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response {
        let start = ContinuousClock.now
        defer { print(request.method, request.path ?? "", start.duration(to: .now)) }
        return try await base.send(request, body: body, options: options)
    }
}

func loadProfile() async throws {}

func reachTheCodeUnderTest(stub: any Transport) async throws {
    try await Ambient.$transport.withValue(stub) {
        try await loadProfile()  // its Client(…) talks to the stub
    }
}

func trustTheCertificatesOfStaging(authorities: [UInt8]) async throws -> HTTPResponse {
    let staging = SocketTransport(.init(trust: .systemAnd(certificates: authorities)))
    let request = HTTPRequest(method: .get, scheme: "https", authority: "staging.example.com", path: "/")
    let response = try await staging.send(request)
    return response.head
}
