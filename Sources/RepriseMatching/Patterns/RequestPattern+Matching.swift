// SPDX-License-Identifier: Apache-2.0

package import RepriseText

extension RequestPattern {
    /// Whether a fixture with this pattern can answer the request, ignoring the precedence of other fixtures.
    ///
    /// A recorded request always matches itself, regardless of masks. The method must be equal, even though a GET
    /// fixture can also answer a HEAD request.
    ///
    /// ```swift
    /// let pattern = RequestPattern(recorded: exchange.request)
    /// guard pattern.matches(original) else { warn(pattern.verdicts(on: original)) }
    /// ```
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - options: The matching options.
    package func matches(_ request: OwnedRequest, options: MatchingOptions = MatchingOptions()) -> Bool {
        let canonical = canonical(request.view, options)
        let pattern = options.ignored.isEmpty ? self : reduced(to: options)
        if options.fields.contains(.method), method != canonical.method { return false }
        if isOfOtherHost(canonical) { return false }
        return pattern.matchesExceptHost(canonical, options)
    }

    /// Returns the result of comparing each field of the request. The request's values at masks are hidden.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - options: The matching options.
    ///   - limit: The maximum number of differences to include for each of the query and the body.
    package func verdicts(
        on request: OwnedRequest,
        options: MatchingOptions = MatchingOptions(),
        limit: Int = 5
    ) -> [FieldVerdict] {
        let pattern = options.ignored.isEmpty ? self : reduced(to: options)
        return pattern.verdicts(on: canonical(request.view, options), options, limit: limit)
    }

    /// Whether only recordings of other hosts answer the request.
    func isOfOtherHost(_ request: CanonicalRequest) -> Bool {
        guard precedence == .recording, request.requiresHost, let host else { return false }
        return !request.names(host: host, isSecure: isSecure)
    }

    @_lifetime(copy request)
    private func canonical(_ request: RequestView, _ options: MatchingOptions) -> CanonicalRequest {
        var kinds: UInt8 = 0
        if case .equal(let kind, _) = body { kinds = 1 << UInt8(kind.rawValue) }
        return CanonicalRequest(request, kinds: kinds, BodyLimits(CollectionOfOne(self)), options)
    }
}
