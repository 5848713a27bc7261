// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import RepriseText

@Suite struct PercentEscapeTests {
    private static let visible = ByteSet(0x21...0x7E)

    @Test(arguments: [
        ("", ""), ("azAZ09-._~", "azAZ09-._~"), ("a b/%", "a%20b%2F%25"), ("%41", "%2541"), ("€", "%E2%82%AC"),
        ("\u{0}\u{7F}", "%00%7F"),
    ])
    func escapesAllButUnreserved(text: String, expected: String) {
        #expect(PercentEscape.encoded(text, except: .unreserved) == expected)
    }

    @Test(arguments: [
        ("%41%2f", "%41%2f"), ("%4", "%254"), ("%", "%25"), ("%%41", "%25%41"), ("%g0 ", "%25g0%20"),
        ("100%", "100%25"),
    ])
    func preservesExistingEscapes(text: String, expected: String) {
        #expect(PercentEscape.encoded(text, except: .unreserved, keepsEscapes: true) == expected)
    }

    @Test(arguments: [
        ("", ""), ("a+b", "a+b"), ("%41%62", "Ab"), ("%2541", "%41"), ("%e2%82%AC", "€"), ("%", "%"), ("%4", "%4"),
        ("%4g%41", "%4gA"), ("%%41", "%A"),
    ])
    func decodesOnce(text: String, expected: String) {
        #expect(PercentEscape.decoded(text[...]) == expected)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func roundTripsAnyBytes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let bytes = Self.bytes(&random)
            for plain in [ByteSet(), .unreserved, .pathSegment] {
                let encoded = PercentEscape.encoded(bytes.span, except: plain)
                #expect(encoded.allSatisfy { $0 == UInt8(ascii: "%") || plain.contains($0) || Self.isHexadecimal($0) })
                #expect(PercentEscape.decoded(encoded.span) == bytes)
            }
            let form = FormText.encoded(bytes)
            #expect(form.allSatisfy { Self.visible.contains($0) })
            #expect(FormText.decoded(form.span) == bytes)
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func preservingEscapesIsIdempotent(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let bytes = Self.bytes(&random)
            let once = PercentEscape.encoded(bytes.span, except: .unreserved, keepsEscapes: true)
            #expect(PercentEscape.encoded(once.span, except: .unreserved, keepsEscapes: true) == once)
            #expect(PercentEscape.decoded(once.span) == PercentEscape.decoded(bytes.span))
        }
    }

    @Test(arguments: [
        ("", ""), ("azAZ09*-._", "azAZ09*-._"), ("a b+c~", "a+b%2Bc%7E"), ("&=%", "%26%3D%25"), ("é", "%C3%A9"),
    ])
    func encodesFormsLikeBrowsers(text: String, expected: String) {
        #expect(FormText.encoded(text) == expected)
        #expect(FormText.decoded(expected[...]) == text)
    }

    /// Random bytes, with percent signs and digits more often than others.
    private static func bytes(_ random: inout SeededGenerator) -> [UInt8] {
        let often = Array("%%%0aF+ ".utf8)
        return (0..<Int.random(in: 0..<24, using: &random)).map { _ in
            Bool.random(using: &random) ? often.randomElement(using: &random)! : .random(in: 0...255, using: &random)
        }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool { "0123456789ABCDEF".utf8.contains(byte) }
}
