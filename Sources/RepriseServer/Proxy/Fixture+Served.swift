// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseFixtures

extension Fixture {
    /// Returns the fixture as a client of this server receives it, which is how a client of the recording proxy
    /// received it.
    ///
    /// - Parameter isSecure: Whether clients use TLS.
    func served(isSecure: Bool) -> Fixture {
        guard let base = proxied?.base, let address = try? UpstreamAddress(base) else { return asServed }
        let translation = ResponseTranslation(address: address, isClientSecure: isSecure)
        var fixture = asServed
        fixture.plan.steps = plan.steps.map { step in
            guard case .head(var head) = step, let lines = translation.translated(head.headers) else { return step }
            head.headers = lines
            return .head(head)
        }
        return fixture
    }
}
