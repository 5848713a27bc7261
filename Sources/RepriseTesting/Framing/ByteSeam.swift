// SPDX-License-Identifier: Apache-2.0

/// Places in a content where a cut is apt to hurt.
enum ByteSeam {
    /// Whether a UTF-8 sequence (RFC 3629 section 3) goes on at `offset`.
    static func isInsideCharacter(_ content: Span<UInt8>, _ offset: Int) -> Bool {
        isContinuation(content[offset]) && (content[offset - 1] >= 0xC2 || isContinuation(content[offset - 1]))
    }

    /// Whether `offset` is between CR and LF.
    static func isInsideLineEnd(_ content: Span<UInt8>, _ offset: Int) -> Bool {
        content[offset - 1] == 0x0D && content[offset] == 0x0A
    }

    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
