// SPDX-License-Identifier: Apache-2.0

package import RepriseText

extension RequestPattern {
    /// Whether a fixture with this pattern answers the request, where no other one goes before it.
    ///
    /// A recorded request always matches itself, whatever is masked in it. The method must be the same: that a
    /// HEAD request can be answered from GET does not count.
    ///
    /// ```swift
    /// let pattern = RequestPattern(recorded: exchange.request)
    /// guard pattern.matches(original) else { warn(pattern.verdicts(on: original)) }
    /// ```
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - options: What is compared.
    package func matches(_ request: OwnedRequest, options: MatchingOptions = MatchingOptions()) -> Bool {
        let canonical = canonical(request.view, options)
        if options.fields.contains(.method), method != canonical.method { return false }
        if precedence == .recording, options.requiresHost, let host, !canonical.names(host: host) { return false }
        return fits(canonical, options)
    }

    /// What matching says about each field of the request: why it matches or not. Values at masks are not told.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - options: What is compared.
    ///   - limit: How many differences of the query and of the body are told.
    package func verdicts(
        on request: OwnedRequest,
        options: MatchingOptions = MatchingOptions(),
        limit: Int = 5
    ) -> [FieldVerdict] {
        verdicts(on: canonical(request.view, options), options, limit: limit)
    }

    @_lifetime(copy request)
    private func canonical(_ request: RequestView, _ options: MatchingOptions) -> CanonicalRequest {
        var kinds: UInt8 = 0
        if case .equal(let kind, _) = body { kinds = 1 << UInt8(kind.rawValue) }
        return CanonicalRequest(request, kinds: kinds, BodyLimits(CollectionOfOne(self)), options)
    }
}
