// SPDX-License-Identifier: Apache-2.0

/// Up to eight bytes packed into one number, first byte highest, each ORed with 0x20. Comparing two such numbers
/// compares the bytes without regard to case.
///
/// ORing with 0x20 maps uppercase letters to lowercase. Only a control character can become a hyphen this way, so in
/// bytes without control characters, equal words mean equal names.
enum FoldedWord {
    /// `host`
    @inline(__always) static var host: UInt64 { 0x686F_7374 }
    /// `expect`
    @inline(__always) static var expect: UInt64 { 0x6578_7065_6374 }
    /// `co`
    @inline(__always) static var co: UInt64 { 0x636F }
    /// `nnection`
    @inline(__always) static var nnection: UInt64 { 0x6E6E_6563_7469_6F6E }
    /// `cont`
    @inline(__always) static var cont: UInt64 { 0x636F_6E74 }
    /// `ent-type`
    @inline(__always) static var entType: UInt64 { 0x656E_742D_7479_7065 }
    /// `conten`
    @inline(__always) static var conten: UInt64 { 0x636F_6E74_656E }
    /// `t-length`
    @inline(__always) static var tLength: UInt64 { 0x742D_6C65_6E67_7468 }
    /// `transfer`
    @inline(__always) static var transfer: UInt64 { 0x7472_616E_7366_6572 }
    /// `encoding`
    @inline(__always) static var encoding: UInt64 { 0x656E_636F_6469_6E67 }
    /// `close`
    @inline(__always) static var close: UInt64 { 0x0063_6C6F_7365 }
    /// `ke`
    @inline(__always) static var ke: UInt64 { 0x6B65 }
    /// `ep-alive`
    @inline(__always) static var epAlive: UInt64 { 0x6570_2D61_6C69_7665 }

    /// Returns the word for the bytes in `range`, or for the last eight if there are more.
    @inline(__always)
    static func word(at range: Range<Int>, of input: Span<UInt8>) -> UInt64 {
        var word: UInt64 = 0
        var index = range.lowerBound
        while index < range.upperBound {
            word = word << 8 | UInt64(input[index] | 0x20)
            index += 1
        }
        return word
    }
}
