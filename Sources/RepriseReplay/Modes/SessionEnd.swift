// SPDX-License-Identifier: Apache-2.0

internal import Reprise

/// The end of a session that reaches the network: the session's own base, or else the live transport of the client that
/// sends the request. The session has checked that its mode may use the network.
struct SessionEnd: TimekeepingTransport {
    let base: (any Transport)?

    private var transport: EndedTransport {
        let ends = Ambient.ends?.withoutAmbient ?? Ambient.Ends()
        if let base { return EndedTransport(base: base, ends: ends) }
        // A decorator without a base in the live transport must not choose that transport again.
        return EndedTransport(base: ends.live ?? LiveTransport.shared, ends: Ambient.Ends())
    }

    var enforcesTimeout: Bool { transport.enforcesTimeout }

    func enforcesTimeout(on clock: any Clock<Duration>) -> Bool { transport.enforcesTimeout(on: clock) }

    func send(
        _ request: HTTPRequest,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response {
        try await NetworkGuard.$isPermitted.binding(true) { () async throws(TransportError) in
            try await transport.send(request, body: body, options: options)
        }
    }
}
