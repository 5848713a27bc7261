// SPDX-License-Identifier: Apache-2.0

/// The field lines after the last chunk (RFC 9112 section 7.1.2). They are kept separate and never merged into the
/// header fields.
public struct TrailerSection: Sendable, Hashable {
    /// The lines as received, each with its CR LF.
    public internal(set) var bytes: [UInt8] = []
    /// The positions of the lines in ``bytes``, in order.
    public internal(set) var fields: [FieldRange] = []

    init() {}

    /// Whether there are no trailer fields.
    public var isEmpty: Bool { fields.isEmpty }

    /// The lines as received, each without its CR LF.
    public var lines: [[UInt8]] { fields.map { Array(bytes[$0.line]) } }

    /// Continues scanning the lines with `section`.
    func advance(_ section: inout FieldSectionScanner) throws(ParsingError) -> FieldSectionScanner.Step {
        let lines = bytes[...]
        return try section.next(lines.span)
    }
}
