// SPDX-License-Identifier: Apache-2.0

/// HTTP-version: `HTTP/`, a digit, a period and a digit, case-sensitive (RFC 9112 section 2.3).
enum VersionName {
    static var length: Int { 8 }

    /// Whether `byte` is valid at `index` of the name. Any major version is accepted here and checked when the name
    /// is complete.
    static func accepts(_ byte: UInt8, at index: Int) -> Bool {
        switch index {
        case 0: byte == UInt8(ascii: "H")
        case 1, 2: byte == UInt8(ascii: "T")
        case 3: byte == UInt8(ascii: "P")
        case 4: byte == Byte.slash
        case 6: byte == Byte.period
        default: byte.isDigit
        }
    }
}
