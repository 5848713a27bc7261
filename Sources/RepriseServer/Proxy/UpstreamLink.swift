// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseConnections
internal import RepriseIO
internal import RepriseMatching
internal import RepriseRecording
internal import RepriseRedaction
internal import RepriseText
internal import RepriseWire

/// One loop's connections to the upstream. Used only on the loop's thread.
final class UpstreamLink {
    let requests: RequestTranslation
    /// What changes in responses; nil if clients use the upstream's own URL.
    let responses: ResponseTranslation?
    let pool: LoopConnectionPool
    let loop: EventLoop
    private let upstream: MockServer.Upstream
    private var knownLines = HeaderLineCache()
    private var requestCache = HeadCache<CachedRequestTranslation>()
    private var responseCache = HeadCache<CachedResponseTranslation>()
    /// Whether ``run()`` will be called at the end of this turn of the loop.
    private var writesRecorded = false

    var address: UpstreamAddress { upstream.address }

    /// - Parameter isSecure: Whether clients use TLS.
    convenience init(_ upstream: MockServer.Upstream, loop: EventLoop, isSecure: Bool) {
        let pool = LoopConnectionPool(loop: loop, configuration: upstream.poolConfiguration)
        self.init(upstream, pool: pool, loop: loop, isSecure: isSecure)
    }

    /// - Parameters:
    ///   - pool: The connections, which may be shared with other links.
    ///   - isSecure: Whether clients use TLS; nil if they use the upstream's own URL.
    init(_ upstream: MockServer.Upstream, pool: LoopConnectionPool, loop: EventLoop, isSecure: Bool?) {
        self.loop = loop
        self.pool = pool
        self.upstream = upstream
        responses = isSecure.map { ResponseTranslation(address: upstream.address, isClientSecure: $0) }
        requests = RequestTranslation(address: upstream.address, keepsEncoding: upstream.keepsEncoding)
    }

    /// Returns the translations of a request's head, which no stub changes.
    func translation(of head: Span<UInt8>) -> CachedRequestTranslation {
        requestCache.value(for: head) { CachedRequestTranslation() }
    }

    /// Starts recording a request; returns nil if there is no recorder.
    func record(
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        _ translation: CachedRequestTranslation,
        at time: Duration
    ) -> ExchangeRecording? {
        guard let recorder = upstream.recorder, isSelected(bytes, head) else { return nil }
        // No recorded request contains the credentials of the URL, but a server can send them back.
        if let authorization = address.authorization { recorder.memory.remember(authorization: authorization) }
        if let request = translation.recorded { return recorder.begin(request, at: time) }
        let request = ReceivedRequest(requests.recorded(bytes, head, &knownLines))
        translation.recorded = request
        return recorder.begin(request, at: time)
    }

    /// Whether a request is one of those to record.
    private func isSelected(_ bytes: Span<UInt8>, _ head: RequestHead) -> Bool {
        guard let filter = upstream.filter else { return true }
        let request = RequestView(head: bytes, ranges: head.ranges, content: Span())
        return filter.matches(DecodedRequest(OwnedRequest(request)))
    }

    /// Writes the exchanges that end in this turn of the loop with a single system call, at the end of the turn.
    func writeRecordedAtEndOfTurn() {
        guard !writesRecorded else { return }
        writesRecorded = true
        loop.atEndOfTurn(self)
    }

    /// Returns the translations of a response's head, which no stub changes.
    func translation(of head: IncomingHead) -> CachedResponseTranslation {
        responseCache.value(for: head.bytes.span) {
            let recorded = recorded(head)
            return CachedResponseTranslation(recorded, translated: responses?.translated(recorded.headers))
        }
    }

    func recorded(_ head: IncomingHead) -> RecordedResponse {
        var recorded = RecordedResponse(
            status: head.status,
            httpVersion: head.isHTTP10 ? "1.0" : nil,
            headers: lines(head.fields)
        )
        recorded.reasonBytes = Array(head.reason)
        return recorded
    }

    func lines(_ fields: IncomingHead.Fields) -> [HeaderLine] {
        var lines: [HeaderLine] = []
        lines.reserveCapacity(fields.count)
        for field in fields {
            let line = field.line
            if let line = knownLines.line(line.span) { lines.append(line) }
        }
        return lines
    }
}

extension UpstreamLink: LoopWork {
    /// Writes the exchanges that ended in this turn of the loop.
    func run() {
        writesRecorded = false
        upstream.recorder?.writeBufferedLines()
    }
}

extension MockServer.Upstream {
    var poolConfiguration: ConnectionPool.Configuration {
        var configuration = ConnectionPool.Configuration()
        // A client of the proxy must not wait for other clients, and streams may stay open for hours.
        configuration.connectionsPerOrigin = 100_000
        // The client waits for `100 Continue`, and decides when to send the body without it.
        configuration.continueTimeout = .seconds(3600)
        // What browsers and curl accept can be recorded.
        configuration.repairsResponses = true
        configuration.tls = tls
        configuration.proxies = proxies
        if isChosenByClient { configuration.allowedAddresses = .notLinkLocal }
        return configuration
    }

    private var tls: TLSClientConfiguration {
        var configuration = TLSClientConfiguration()
        configuration.trust = trust
        configuration.identity = identity
        return configuration
    }

    /// Checks that the certificates and the proxy can be used before the first request needs them.
    func check() throws(TLSError) {
        if address.origin.isSecure { _ = try TLSContext(client: tls) }
        do throws(ConnectionError) { try proxies.check(for: address.origin) } catch {
            throw TLSError(.configuration, error.message)
        }
    }
}
