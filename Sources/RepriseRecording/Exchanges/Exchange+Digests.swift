// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseText

extension Exchange {
    /// Notes the digests in header and trailer lines that no longer fit a body, because a secret was removed from it.
    ///
    /// - Parameters:
    ///   - original: The exchange before the last secrets were removed.
    ///   - request: Whether the body of the request changed before that.
    ///   - response: Whether the body of the response changed before that.
    mutating func noteDigests(
        original: Exchange,
        request isRequestChanged: Bool = false,
        response isResponseChanged: Bool = false
    ) {
        if isRequestChanged || request.body != original.request.body {
            request.note = Self.note(on: request.headers, after: request.note)
        }
        guard case .response(var response) = outcome, case .response(let old) = original.outcome,
            isResponseChanged || response.content != old.content
        else { return }
        response.note = Self.note(on: response.headers + response.trailers, after: response.note)
        outcome = .response(response)
    }

    /// The fields that contain a digest of the body: those of RFC 9530, RFC 3230, and RFC 1864, and those of object
    /// stores.
    private static let names = [
        "Content-Digest", "Repr-Digest", "Digest", "Content-MD5", "X-Amz-Content-Sha256", "X-Goog-Hash",
        "X-Ms-Blob-Content-Md5",
    ]
    private static let prefix = "x-amz-checksum-"

    private static func note(on lines: [HeaderLine], after note: String?) -> String? {
        let found = lines.filter { line in
            names.contains { line.hasName($0) } || line.name.lowercased().hasPrefix(prefix)
        }
        guard let first = found.first else { return note }
        let text =
            "\(first.name) doesn't match the body, because a secret was removed from it; if the client checks the digest, "
            + "remove this header line from the cassette"
        guard let note else { return text }
        return note.hasSuffix(text) ? note : "\(note); \(text)"
    }
}
