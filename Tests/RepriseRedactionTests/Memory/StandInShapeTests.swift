// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import RepriseCassettes
@testable import RepriseRedaction
@testable import RepriseText

@Suite struct StandInShapeTests {
    private static let token =
        "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6ImExIn0.eyJzdWIiOiJhbGljZSIsImV4cCI6MTcwMDAwMDAwMH0."
        + String(repeating: "a", count: 342)

    @Test(arguments: [
        ("3f2504e0-4f89-41d3-9a0c-0305e82c3301", StandIn.Shape.uuid), ("3F2504E0-4F89-41D3-9A0C-0305E82C3301", .uuid),
        (token, .jwt), ("4711", .digits), ("123456", .digits), ("4242424242424242", .digits),
        ("9b74c9897bac770ffc029102a200c5de", .hex), ("9B74C9897BAC770FFC029102A200C5DE", .hex),
        ("3q2+7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", .base64), ("3q2-7w_AAAAAAAAAAA==", .base64),
    ])
    func textHasShapeOfValue(value: String, shape: StandIn.Shape) throws {
        let value = Array(value.utf8)
        #expect(StandInShape.of(value) == shape)
        var texts: Set<[UInt8]> = []
        for number in 1...300 {
            let text = try #require(StandInShape.text(shape, like: value, number: number))
            #expect(StandInShape.of(text) == shape)
            let received = StandIn(String(decoding: text, as: UTF8.self), shape: shape).received
            #expect(shape == .jwt || received.count == value.count)
            #expect(text == StandInShape.text(shape, like: value, number: number))
            #expect(text.allSatisfy { ByteSet.unreserved.contains($0) || $0 == UInt8(ascii: "=") })
            texts.insert(text)
        }
        #expect(texts.count == 300)
    }

    @Test(arguments: [
        "hunter2", "sk-proj-Ab3dEf6hIj9kLm2nOp5q", "12", "deadbeef", "9b74c9897BAC770ffc029102a200c5de", "abcd=",
        "eyJhbGciOiJSUzI1NiJ9.a", "not base64 at all===", "3f2504e0-4f89-41d3-9a0c-0305e82c330g",
    ])
    func otherValuesHaveNoShape(_ value: String) {
        #expect(StandInShape.of(Array(value.utf8)) == nil)
    }

    @Test func tokenKeepsAlgorithmAndTypeOnly() throws {
        let text = try #require(StandInShape.text(.jwt, like: Array(Self.token.utf8), number: 7))
        let parts = text.split(separator: UInt8(ascii: "."))
        let header = try #require(Base64.decodeLeniently(parts[0]))
        #expect(String(decoding: header, as: UTF8.self) == #"{"alg":"RS256","typ":"JWT"}"#)
        let claims = try #require(Base64.decodeLeniently(parts[1]))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(claims)) as? [String: Any])
        #expect(object["exp"] as? Int == 4_070_908_800)
        #expect(object["jti"] as? String == "redacted-7")
        #expect(object.count == 3)
        #expect(parts[2].count == 342)
        #expect(Base64.decodeLeniently(parts[2]) != nil)
    }

    @Test func decodedBase64HasLengthOfValue() throws {
        let value = Base64.encode((0..<32).map { $0 })
        let text = try #require(StandInShape.text(.base64, like: value, number: 12_345))
        #expect(Base64.decode(text[...])?.count == 32)
    }

    @Test(arguments: [("123", 900), ("4711", 9000), ("12345", 90_000)])
    func shortDigitsRepeatOnlyWhenAllAreUsed(value: String, count: Int) {
        let standIns = (0...count).map { number in
            StandIn(
                String(decoding: StandInDigits.text(value.utf8.count, number: number), as: UTF8.self),
                shape: .digits
            )
        }
        #expect(Set(standIns.map(\.text)).count == count + 1)
        #expect(standIns.allSatisfy { $0.text.utf8.count == 18 })
        let received = standIns.map(\.received)
        #expect(Set(received).count == count)
        #expect(received.allSatisfy { $0.count == value.utf8.count && $0.first != UInt8(ascii: "0") })
        #expect(received[count] == received[0])
    }

    @Test(arguments: ["978", "271828180", "271828189000000001", "918281828459045235", "27182818000000000x"])
    func otherDigitsAreReceivedAsTheyAre(_ text: String) {
        #expect(StandIn(text, shape: .digits).received == Array(text.utf8))
    }

    /// What a client receives is never the secret itself, not even by accident.
    @Test func secretIsNotReceived() throws {
        for secret in 100..<1000 {
            let standIns = StandIns()
            _ = standIns.text(for: Array("\(secret)".utf8), name: nil)
            #expect(try #require(standIns.listed.first).received != Array("\(secret)".utf8))
        }
    }

    /// A client that decodes an integer of 32 or 64 bits, or a double, still can.
    @Test(arguments: [
        ("2147483647", UInt64(Int32.max)), ("9007199254740991", 1 << 53), ("9223372036854775807", UInt64(Int64.max)),
        ("18446744073709551615", .max),
    ])
    func digitsOfLargestIntegerFit(value: String, largest: UInt64) throws {
        for number in 1...300 {
            let text = try #require(StandInShape.text(.digits, like: Array(value.utf8), number: number))
            let received = StandIn(String(decoding: text, as: UTF8.self), shape: .digits).received
            #expect(try #require(UInt64(String(decoding: received, as: UTF8.self))) <= largest)
        }
    }
}
