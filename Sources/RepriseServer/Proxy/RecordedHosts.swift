// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseFixtures
internal import RepriseMatching
internal import RepriseText

/// The hosts that requests were recorded from. The server answers for them, so a redirect to one of them is followed on
/// the server: the absolute URL in a `Location` becomes a relative reference (RFC 9110 section 10.2.2).
///
/// This is the only difference between the header lines of a recording and those that the server sends for it, apart
/// from recordings of a proxy, which ``ResponseTranslation`` changes for the same reason.
struct RecordedHosts {
    private let authorities: Set<[UInt8]>

    init(_ fixtures: [Fixture]) {
        authorities = Set(fixtures.lazy.compactMap(\.pattern.host))
    }

    /// Returns the plan with its `Location` lines changed; `nil` if nothing changes.
    func translated(_ plan: ResponsePlan) -> ResponsePlan? {
        var translated: ResponsePlan?
        for (number, step) in plan.steps.enumerated() {
            guard case .head(var head) = step else { continue }
            for (position, line) in head.headers.enumerated() where line.hasName("location") {
                let local = line.location { path(of: $0) }
                guard local != line else { continue }
                head.headers[position] = local
                translated = translated ?? plan
                translated?.steps[number] = .head(head)
            }
        }
        return translated
    }

    /// Returns the path, query, and fragment of an absolute URL of a recorded host; `nil` for other references.
    private func path(of reference: String) -> String? {
        let isNetworkPath = reference.hasPrefix("//")
        guard let slashes = reference.firstRange(of: isNetworkPath ? "//" : "://") else { return nil }
        let scheme = reference[..<slashes.lowerBound].lowercased()
        guard isNetworkPath || scheme == "http" || scheme == "https" else { return nil }
        let rest = reference[slashes.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        // A network-path reference has the scheme of the request, which the recording may not have: both are tried.
        let isRecorded = (isNetworkPath ? ["http", "https"] : [scheme]).contains { scheme in
            CanonicalHost.host(Array(authority.utf8)[...], scheme: Array(scheme.utf8)).map(authorities.contains)
                ?? false
        }
        return isRecorded ? String(rest[authority.endIndex...]) : nil
    }
}

extension HeaderLine {
    /// Returns the `Location` line with a path in place of a URL that leads to this server.
    ///
    /// - Parameter local: Returns the path, query, and fragment for this server; nil if a reference leads elsewhere.
    func location(_ local: (String) -> String?) -> HeaderLine {
        guard let reference = text, let local = local(reference) else { return self }
        // A reference that starts with two slashes would name a host (RFC 3986 section 4.2).
        let path = local.hasPrefix("//") ? "/." + local : local.hasPrefix("/") ? local : "/" + local
        return path == reference ? self : replacingValue(with: path) ?? self
    }
}
