// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import RepriseWire

@Suite struct ByteClassTests {
    private static let alphanumerics = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

    @Test func tokensMatchGrammar() {
        let expected = Set((Self.alphanumerics + "!#$%&'*+-.^_`|~").utf8)
        for byte in UInt8.min...UInt8.max { #expect(byte.isToken == expected.contains(byte), "\(byte)") }
    }

    @Test func registeredNamesExcludeCommaAndDelimiters() {
        let expected = Set((Self.alphanumerics + "-._~!$&'()*+;=").utf8)
        for byte in UInt8.min...UInt8.max { #expect(byte.isRegisteredName == expected.contains(byte), "\(byte)") }
    }

    @Test func fieldContentExcludesControlsExceptTab() {
        for byte in UInt8.min...UInt8.max {
            let isControl = byte < 0x20 && byte != 0x09 || byte == 0x7F
            #expect(byte.isFieldContent == !isControl, "\(byte)")
        }
    }

    @Test func targetsExcludeControlsSpaceAndHash() {
        for byte in UInt8.min...UInt8.max {
            #expect(byte.isTarget == (byte > 0x20 && byte != 0x7F && byte != 0x23), "\(byte)")
        }
    }

    @Test func returnsHexadecimalValue() {
        for byte in UInt8.min...UInt8.max {
            let value = byte < 0x80 ? Character(Unicode.Scalar(byte)).hexDigitValue : nil
            #expect(byte.hexadecimalValue.map(Int.init) == value, "\(byte)")
        }
    }

    @Test func lowercasesOnlyCapitals() {
        for byte in UInt8.min...UInt8.max {
            let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            #expect(byte.lowercased == (isCapital ? byte + 32 : byte))
        }
    }
}
