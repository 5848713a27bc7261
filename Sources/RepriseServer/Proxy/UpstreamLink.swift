// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseConnections
internal import RepriseIO
internal import RepriseRecording
internal import RepriseText
internal import RepriseWire

/// One loop's way to the upstream server. Lives on the loop's thread.
final class UpstreamLink {
    let requests: RequestTranslation
    let responses: ResponseTranslation
    let pool: LoopConnectionPool
    private let upstream: MockServer.Upstream
    private var knownLines = HeaderLineCache()

    var address: UpstreamAddress { upstream.address }

    /// - Parameter isSecure: whether clients speak TLS.
    init(_ upstream: MockServer.Upstream, loop: EventLoop, isSecure: Bool) {
        self.upstream = upstream
        responses = ResponseTranslation(address: upstream.address, isClientSecure: isSecure)
        requests = RequestTranslation(address: upstream.address, keepsEncoding: upstream.keepsEncoding)
        pool = LoopConnectionPool(loop: loop, configuration: upstream.poolConfiguration)
    }

    /// Begins to record a request, if there is a recorder.
    func record(_ bytes: Span<UInt8>, _ head: RequestHead, at time: Duration) -> ExchangeRecording? {
        upstream.recorder?.begin(requests.recorded(bytes, head, &knownLines), at: time)
    }

    /// The header lines of a response.
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

extension MockServer.Upstream {
    fileprivate var poolConfiguration: ConnectionPool.Configuration {
        var configuration = ConnectionPool.Configuration()
        // Whoever asks a proxy is not to wait for others who do: streams may stay open for hours.
        configuration.connectionsPerOrigin = 100_000
        // It is the client who waits for `100 Continue`, and sends the body when that takes too long.
        configuration.continueTimeout = .seconds(3600)
        configuration.tls = tls
        return configuration
    }

    private var tls: TLSClientConfiguration {
        var configuration = TLSClientConfiguration()
        configuration.trust = trust
        return configuration
    }

    /// Looks whether the certificates can be read, before the first request needs them.
    func check() throws(TLSError) {
        if address.origin.isSecure { _ = try TLSContext(client: tls) }
    }
}
