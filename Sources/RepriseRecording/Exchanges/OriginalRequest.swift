// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseFixtures
internal import RepriseMatching
internal import RepriseRedaction
internal import RepriseText

/// A request as it was sent, including its secrets. It is kept in memory during the recording and never written.
struct OriginalRequest: Sendable {
    /// Whether the URL or a header line contained a secret.
    let isHeadRedacted: Bool
    var headers: [HeaderLine] { request.headers }
    /// The request as sent. Its body is added later.
    var request: RecordedRequest { received.request }
    let received: ReceivedRequest
    private var body: [UInt8] = []
    private var isBodyWhole = true

    /// Creates an original request. `redacted` is the version that may be written. The body is added later.
    init(_ received: ReceivedRequest, redacted: RecordedRequest) {
        self.received = received
        let request = received.request
        isHeadRedacted = request.url != redacted.url || request.headers != redacted.headers
    }

    mutating func append(_ bytes: [UInt8]) {
        isBodyWhole = isBodyWhole && body.count + bytes.count <= SpillBuffer.limit
        if isBodyWhole { body += bytes } else { body = [] }
    }

    /// Returns the fields in which this request does not match the recorded one, or `nil` if it matches. If the body
    /// was not kept in memory, it is not compared.
    ///
    /// - Parameter recorded: The request as recorded, with markers for any value in place of its stand-ins. A body in a
    ///   file is not compared: it is large and differs only in its secrets.
    func mismatch(with recorded: RecordedRequest) -> String? {
        let recorded = RequestPattern(recorded: isBodyWhole ? recorded : recorded.withoutBody, contents: { _ in nil })
        // A request is recorded without its content coding.
        let own = OwnedRequest(request, body: CodedBody.decoded(body, headers: headers) ?? body)
        guard !recorded.matches(own), !recorded.matches(OwnedRequest(request, body: body)) else { return nil }
        return recorded.verdicts(on: own).filter { !$0.isEqual && $0.isRequired }.map(\.field).joined(separator: ", ")
    }
}

extension RecordedRequest {
    fileprivate var withoutBody: RecordedRequest {
        var copy = self
        copy.comparesBody = false
        return copy
    }
}
