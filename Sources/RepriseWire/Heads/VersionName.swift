// SPDX-License-Identifier: Apache-2.0

/// HTTP-version: `HTTP/`, a digit, a period and a digit, with the case as it stands (RFC 9112 section 2.3).
enum VersionName {
    static var length: Int { 8 }

    /// Whether `byte` may stand at `index` of the name. Any major version may: it is refused when the name is complete.
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
