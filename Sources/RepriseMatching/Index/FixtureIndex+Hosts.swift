// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The host that a request names, as recordings are looked up by it.
struct RequestedHost {
    /// The keys of the host, the most specific first. Empty if the request names none.
    fileprivate(set) var keys: [[UInt8]]
    /// Whether only recordings of this host answer, and fixtures without a host.
    fileprivate(set) var isRequired: Bool
}

extension FixtureIndex {
    /// Returns the host of a request, and whether it must match that of a recording.
    ///
    /// It must match if the options say so, if the request came through a proxy, and if there are recordings of several
    /// hosts and the request names one of them. Other requests, such as those to `localhost`, get the recordings of any
    /// host, but none if equal requests were recorded from several hosts.
    func requestedHost(_ request: RequestView) -> RequestedHost {
        let keys = hostKeys(of: request)
        let isRequired =
            options.requiresHost || request.ranges.scheme != nil
            || tables.hostNames.count > 1 && keys.contains { tables.hostNames.value(of: $0.span) != nil }
        return RequestedHost(keys: keys, isRequired: isRequired)
    }

    private func hostKeys(of request: RequestView) -> [[UInt8]] {
        guard !request.authority.isEmpty else { return [] }
        let host = [UInt8](lowercasing: request.authority)
        if let isSecure = request.isSecureThroughProxy { return [options.hostKey(host, isSecure: isSecure)] }
        var hosts = [host]
        // A client that was pointed at this server for the recorded host may send this server's port.
        if let colon = CanonicalHost.portColon(host.span) { hosts.append(Array(host[..<colon])) }
        guard options.comparesScheme else { return hosts }
        return hosts.flatMap { host in [true, false].map { options.hostKey(host, isSecure: $0) } }
    }

    /// Returns a request in canonical form, for comparisons with patterns.
    @_lifetime(copy request)
    func canonical(_ request: RequestView) -> CanonicalRequest {
        var canonical = CanonicalRequest(request, kinds: tables.kinds, bodyLimits, options)
        if tables.comparesHosts { canonical.requiresHost = requestedHost(request).isRequired }
        return canonical
    }

    /// Returns the sequence of the first candidate whose host matches the request's, or otherwise of the first
    /// candidate that may have another.
    func sequenceByHost(
        _ candidates: some RandomAccessCollection<Int32>,
        _ request: RequestView
    ) -> Int32 {
        let host = requestedHost(request)
        for key in host.keys {
            for candidate in candidates {
                let sequence = sequence(of: candidate, hostKey: key, request)
                if sequence >= 0 { return sequence }
            }
        }
        for candidate in candidates {
            let sequence = sequenceOfAnyHost(candidate, host, request)
            if sequence >= 0 { return sequence }
        }
        return -1
    }

    /// Returns the sequences of recorded exchanges. Those whose host matches the request come first, followed by the
    /// others unless the host is required.
    func sequences(of identities: [Int32], _ request: RequestView) -> [Int32] {
        let host = requestedHost(request)
        var sequences: [Int32] = []
        var rest = identities
        for key in host.keys {
            rest.removeAll { identity in
                let sequence = sequence(of: identity, hostKey: key, request)
                if sequence >= 0 { sequences.append(sequence) }
                return sequence >= 0
            }
        }
        return sequences + rest.map { sequenceOfAnyHost($0, host, request) }.filter { $0 >= 0 }
    }

    private func sequence(of identity: Int32, hostKey key: [UInt8], _ request: RequestView) -> Int32 {
        guard let group = tables.hosts.value(of: key.span, parent: identity) else { return -1 }
        return part(of: tables.hostGroups[Int(group)].sequence, request)
    }

    /// Returns the sequence of an identity for a request that names none of its hosts; -1 if there is none.
    private func sequenceOfAnyHost(_ identity: Int32, _ host: RequestedHost, _ request: RequestView) -> Int32 {
        let entry = tables.identities[Int(identity)]
        guard host.isRequired || entry.hasSeveralHosts else { return part(of: identity, request) }
        return entry.hostless < 0 ? -1 : part(of: tables.hostGroups[Int(entry.hostless)].sequence, request)
    }
}

extension MatchingOptions {
    fileprivate func hostKey(_ host: [UInt8], isSecure: Bool) -> [UInt8] {
        comparesScheme ? Array((isSecure ? "https://" : "http://").utf8) + host : host
    }
}

extension RequestPattern {
    /// Returns the key by which recordings of the pattern's host are found; `nil` if it has no host.
    func hostKey(_ options: MatchingOptions) -> [UInt8]? { host.map { options.hostKey($0, isSecure: isSecure) } }
}
