// SPDX-License-Identifier: Apache-2.0

/// Encodes the parts that request and response heads have in common, exactly as given. Nothing is validated, folded,
/// trimmed or added.
public protocol HeadEncoder {}

extension HeadEncoder {
    /// Appends an unchanged field line and CR LF.
    @inlinable
    public static func appendFieldLine(_ line: some Collection<UInt8>, to output: inout [UInt8]) {
        output.append(contentsOf: line)
        appendLineEnd(to: &output)
    }

    /// Appends `name: value` and CR LF.
    @inlinable
    public static func appendField(name: String, value: String, to output: inout [UInt8]) {
        output.append(contentsOf: name.utf8)
        output.append(0x3A)
        output.append(0x20)
        output.append(contentsOf: value.utf8)
        appendLineEnd(to: &output)
    }

    /// Appends `name: number` and CR LF.
    @inlinable
    public static func appendField(name: String, value: Int, to output: inout [UInt8]) {
        output.append(contentsOf: name.utf8)
        output.append(0x3A)
        output.append(0x20)
        DecimalDigits.append(value, to: &output)
        appendLineEnd(to: &output)
    }

    /// Appends a number in decimal.
    @inlinable
    public static func appendNumber(_ number: Int, to output: inout [UInt8]) {
        DecimalDigits.append(number, to: &output)
    }

    /// Appends the blank line that ends a head.
    @inlinable
    public static func appendEndOfHead(to output: inout [UInt8]) {
        appendLineEnd(to: &output)
    }

    @inlinable
    static func appendLineEnd(to output: inout [UInt8]) {
        output.append(0x0D)
        output.append(0x0A)
    }
}

/// Formats numbers as decimal digits without creating a string.
@usableFromInline
enum DecimalDigits {
    @usableFromInline
    static func append(_ number: Int, to output: inout [UInt8]) {
        if number < 0 { output.append(0x2D) }
        let magnitude = number.magnitude
        var power: UInt = 1
        while magnitude / power >= 10 { power *= 10 }
        while power > 0 {
            output.append(0x30 + UInt8(truncatingIfNeeded: magnitude / power % 10))
            power /= 10
        }
    }
}
