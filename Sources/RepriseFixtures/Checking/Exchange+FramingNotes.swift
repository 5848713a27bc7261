// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseCassettes
internal import RepriseText

extension Exchange {
    /// Notes on a response whose header lines and content do not fit together. Such a response can be recorded from a
    /// server, and it is played as it is, so it is not a mistake in itself. Written by hand, it rarely does what its
    /// author expects.
    var framingNotes: [String] {
        guard case .response(let response) = outcome else { return [] }
        let hasLength = response.headers.contains { $0.hasName("Content-Length") }
        let hasCoding = response.headers.contains { $0.hasName("Transfer-Encoding") }
        var notes: [String] = []
        if hasLength, hasCoding {
            notes.append(
                "expected Content-Length or Transfer-Encoding, found both; remove one, because clients ignore the "
                    + "length or reject the response (RFC 9112 section 6.3)"
            )
        }
        if [204, 304].contains(response.status), response.hasBytes {
            notes.append(
                "expected no body with status \(response.status), found one, which is not sent; remove it or change "
                    + "the status"
            )
        }
        if !hasLength, !hasCoding, response.isKeptOpen, allowsContent(response) {
            notes.append(
                "expected Content-Length or Transfer-Encoding, found neither, so the body ends when the connection "
                    + "closes; add \(response.suggestedLine)"
            )
        }
        return notes
    }

    private func allowsContent(_ response: RecordedResponse) -> Bool {
        ResponsePlan.Framing.allowsContent(method: request.method, status: response.status)
    }
}

extension RecordedResponse {
    /// Whether the content has any bytes.
    fileprivate var hasBytes: Bool {
        switch content {
        case .none: return false
        case .body(let body): return body.source.count > 0
        case .stream(let steps):
            return steps.contains { step in
                if case .bytes(let bytes) = step.event { return !bytes.isEmpty }
                return false
            }
        }
    }

    /// Whether the recorded server could have kept the connection open: it spoke HTTP/1.1 and did not announce that it
    /// closes the connection.
    fileprivate var isKeptOpen: Bool {
        httpVersion == nil
            && !headers.contains { $0.hasName("Connection") && $0.value.lowercased().contains("close") }
    }

    /// The header line that the response lacks.
    fileprivate var suggestedLine: String {
        switch content {
        case .none: "'Content-Length: 0'"
        case .body(let body): "'Content-Length: \(body.source.count)'"
        case .stream: "'Transfer-Encoding: chunked'"
        }
    }
}
