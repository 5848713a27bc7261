// SPDX-License-Identifier: Apache-2.0

package import RepriseText

/// Redacts the secrets in one body as it arrives, in bounded memory.
///
/// A body in gzip or deflate is decoded for scanning and held back until its end. The limits are 8 MiB of encoded
/// content and 64 MiB of decoded content, or 16 MiB if it contains a secret. Other codings, text
/// in UTF-7, long text that is declared to be in UTF-16 or UTF-32, and invalid content are ``Unscannable``. Content
/// without readable text, such as images, archives, and encrypted data, does not count as unscannable.
///
/// The redactor returns each piece once and in order, so that a caller can keep data for it, such as its arrival time
/// and whether it ends a chunk. A piece is held back until its redaction is decided, because a secret can start in it
/// and continue in the next one, and until a secret in it ends. The marker is in the piece with the secret's first
/// byte. A piece that was entirely secret is returned empty.
package struct BodyRedactor: Sendable {
    /// The output at the end of a body.
    package struct Remainder: Sendable, Hashable {
        /// The pieces that were held back.
        package var pieces: [[UInt8]]
        /// Whether all pieces are decoded although the body was encoded with gzip or deflate, so that the
        /// Content-Encoding line must be removed.
        package var isDecoded: Bool

        /// Creates a remainder.
        package init(pieces: [[UInt8]], isDecoded: Bool = false) {
            self.pieces = pieces
            self.isDecoded = isDecoded
        }
    }

    /// The reason a body must not be written: it is unknown whether it contains a secret.
    package struct Unscannable: Error, Sendable, Hashable, CustomStringConvertible {
        /// What was expected and what was found.
        package var description: String

        /// Creates a problem with the given description.
        package init(_ description: String) {
            self.description = description
        }
    }

    private var scan: BodyScan
    /// The decoder, if the body is encoded.
    private var coded: CodedBody?
    /// The chunks of the body, if it has any of its own.
    private var framing: AWSChunkFraming?
    /// The reason that no part of the body may be written.
    private var problem: Unscannable?

    /// Creates a redactor for a body with the given header lines.
    ///
    /// - Parameter request: The search for values that are new in each request; `nil` for a response.
    package init(
        _ redaction: Redaction,
        headers: [HeaderLine],
        path: PathNames = [],
        request: RequestValues? = nil,
        limits: CodedBody.Limits = CodedBody.Limits()
    ) {
        let type = headers.firstValue(named: "Content-Type")
        let media = MediaType(type.map { Array($0.utf8) } ?? [])
        scan = BodyScan(
            redaction,
            path: path,
            request: request,
            kind: BodyKind(media),
            isScript: media.isScript,
            hasText: !media.isMedia,
            encoding: media.wideEncoding
        )
        if media.isUTF7 {
            problem = Unscannable("expected an encoding compatible with UTF-8, found \"\(clipped(type ?? ""))\"")
        }
        let fields = headers.lines(named: "Content-Encoding")
        if fields.contains(where: { $0.value.lowercased().contains("aws-chunked") }) { framing = AWSChunkFraming() }
        let codings = headers.contentCodings
        guard !codings.isEmpty else { return }
        coded = CodedBody(codings: codings, limits: limits)
        if coded == nil {
            let found = clipped(codings.joined(separator: ", "))
            problem = Unscannable("expected no content coding, gzip, or deflate, found \(found)")
        }
    }

    /// The number of secrets redacted so far.
    package var count: Int { scan.count }

    /// Whether a part of the body was too large for decoded views, so that secrets were found in it only by their shape
    /// and by names beside them.
    package var hasPlainPart: Bool { scan.hasPlainPart }

    /// Whether a body in gzip or deflate is returned decoded, even without a secret, if it is small enough to be held.
    /// Requests are compared in this form.
    package var keepsDecoded: Bool {
        get { coded?.keepsDecoded == true }
        set { coded?.keepsDecoded = newValue }
    }

    /// The offsets, in the decoded body, and the first bytes of the redacted secrets. To collect them, set this to an
    /// empty array before the first piece. Only searches do so, never recordings.
    package var secrets: [(offset: Int, bytes: [UInt8])]? {
        get { scan.secrets }
        set { scan.secrets = newValue }
    }

    /// Appends the next piece and returns the pieces whose redaction is now decided. There can be none, one or
    /// several.
    ///
    /// - Throws: ``Unscannable`` if the body cannot be scanned. In that case, do not write any of it and do not
    ///   append more.
    package mutating func append(_ piece: [UInt8]) throws(Unscannable) -> [[UInt8]] {
        if let problem, !piece.isEmpty { throw problem }
        if framing?.isWhole(after: piece) == false {
            let problem = Unscannable("expected one chunk of aws-chunked, found several, which could divide a secret")
            self.problem = problem
            throw problem
        }
        guard coded != nil else { return try scan.append(piece) }
        try coded?.append(piece, to: &scan)
        return []
    }

    /// Ends the body, regardless of its ending on the wire, and returns the remaining pieces.
    ///
    /// - Throws: ``Unscannable`` if the body cannot be scanned.
    package mutating func finish() throws(Unscannable) -> Remainder {
        guard coded != nil else { return Remainder(pieces: try scan.finish()) }
        return try coded?.finish(&scan) ?? Remainder(pieces: [])
    }
}
