// SPDX-License-Identifier: Apache-2.0

/// A transport that chooses the transport to send through when it sends: ``Ambient/transport``, or else the client's
/// live transport, or else the live transport of the platform.
///
/// It is the base of decorators such as ``CachingTransport`` that were created without one, so that a test can replace
/// the live end of a client that is created once and has a decorator:
///
/// ```swift
/// let api = Client("https://api.example.com", transport: CachingTransport(), live: staging)
/// ```
///
/// Give your own decorators the same default: `var base: any Transport = AmbientTransport()`.
public struct AmbientTransport: TimekeepingTransport {
    /// Creates a transport. All instances are equivalent.
    public init() {}

    /// Whether the chosen transport enforces timeouts.
    public var enforcesTimeout: Bool { chosen.enforcesTimeout }

    package func enforcesTimeout(on clock: any Clock<Duration>) -> Bool { chosen.enforcesTimeout(on: clock) }

    /// Sends a request through the chosen transport.
    public func send(
        _ request: HTTPRequest,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response {
        try await chosen.send(request, body: body, options: options)
    }

    private var chosen: EndedTransport {
        let ends = Ambient.ends ?? Ambient.Ends(ambient: Ambient.transport, live: nil)
        // The chosen transport may itself contain a decorator without a base, which must not choose it again.
        if let ambient = ends.ambient { return EndedTransport(base: ambient, ends: ends.withoutAmbient) }
        return EndedTransport(base: ends.live ?? LiveTransport.shared, ends: Ambient.Ends())
    }
}

extension Ambient {
    /// The transports that decorators without a base choose from while a client sends a request.
    package struct Ends: Sendable {
        /// The ambient transport, unless the request already passes through it.
        var ambient: (any Transport)?
        /// The client's live transport.
        package let live: (any Transport)?

        package init(ambient: (any Transport)? = nil, live: (any Transport)? = nil) {
            self.ambient = ambient
            self.live = live
        }

        /// The ends for the layers inside the ambient transport.
        package var withoutAmbient: Ends { Ends(ambient: nil, live: live) }
    }

    /// The ends of the request that this task sends, or nil if they are the defaults.
    @TaskLocal package static var ends: Ends?
}

/// A transport that provides the ends for the decorators in another transport.
package struct EndedTransport: TimekeepingTransport {
    let base: any Transport
    let ends: Ambient.Ends

    package init(base: any Transport, ends: Ambient.Ends) {
        self.base = base
        self.ends = ends
    }

    package var enforcesTimeout: Bool { Ambient.$ends.withValue(ends) { base.enforcesTimeout } }

    package func enforcesTimeout(on clock: any Clock<Duration>) -> Bool {
        Ambient.$ends.withValue(ends) {
            (base as? any TimekeepingTransport)?.enforcesTimeout(on: clock) ?? false
        }
    }

    package func send(
        _ request: HTTPRequest,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response {
        try await Ambient.$ends.binding(ends) { () async throws(TransportError) in
            try await base.send(request, body: body, options: options)
        }
    }
}

extension Call {
    /// The transport that sends the call.
    var resolvedTransport: any Transport {
        let ambient = Ambient.transport
        let live = client.shared.live
        if let own = transport ?? client.shared.transport {
            guard ambient != nil || live != nil || Ambient.ends != nil else { return own }
            return EndedTransport(base: own, ends: Ambient.Ends(ambient: ambient, live: live))
        }
        guard ambient != nil || Ambient.ends != nil else { return live ?? LiveTransport.shared }
        if let ambient { return EndedTransport(base: ambient, ends: Ambient.Ends(live: live)) }
        return EndedTransport(base: live ?? LiveTransport.shared, ends: Ambient.Ends())
    }
}
