// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseFixtures

extension Fixture {
    /// Returns the fixture as a client of this server receives it. A client of the recording proxy received it in the
    /// same form.
    ///
    /// - Parameters:
    ///   - isSecure: Whether clients use TLS.
    ///   - hosts: The hosts whose URLs in a `Location` become paths; nil for none.
    func served(isSecure: Bool, hosts: RecordedHosts?) -> Fixture {
        var fixture = asServed
        if let base = proxied?.base, let address = try? UpstreamAddress(base) {
            let translation = ResponseTranslation(address: address, isClientSecure: isSecure)
            fixture.plan.steps = plan.steps.map { step in
                guard case .head(var head) = step, let lines = translation.translated(head.headers) else { return step }
                head.headers = lines
                return .head(head)
            }
        }
        if pattern.host != nil, let plan = hosts?.translated(fixture.plan) { fixture.plan = plan }
        return fixture
    }

    /// Whether a client of the proxy requests the fixture by another path, or receives other header lines, than a
    /// direct client of this server, which gets `served`.
    func differs(from served: Fixture) -> Bool {
        proxied != nil && (pattern != served.pattern || plan != served.plan)
    }
}
