import Testing

// SPDX-License-Identifier: Apache-2.0
@testable import RepriseDocuments
@testable import RepriseText

@Suite struct JSONReaderTests {
    /// The tokens of `text`, each as a short word, up to the end or the first error.
    private func tokens(_ text: some Sequence<UInt8>) throws(JSONError) -> [String] {
        var reader = JSONReader(Array(text))
        var words: [String] = []
        while true {
            switch try reader.next() {
            case .beginObject: words.append("{")
            case .endObject: words.append("}")
            case .beginArray: words.append("[")
            case .endArray: words.append("]")
            case .key(let range): words.append("key " + reader.spelling(of: range))
            case .string(let range): words.append("string " + reader.spelling(of: range))
            case .number(let range): words.append("number " + reader.spelling(of: range))
            case .true: words.append("true")
            case .false: words.append("false")
            case .null: words.append("null")
            case .end: return words
            }
        }
    }

    @Test func preservesSpellingOfTokens() throws {
        let text = #" { "a\u0020b" : [ 1E+2 , -0 , 1.0 , "x\n\ud800é" ] , "" : { } , "c" : [ true , false , null ] } "#
        #expect(
            try tokens(text.utf8) == [
                "{", #"key a\u0020b"#, "[", "number 1E+2", "number -0", "number 1.0", #"string x\n\ud800é"#, "]",
                "key ", "{", "}", "key c", "[", "true", "false", "null", "]", "}",
            ]
        )
    }

    @Test(arguments: [
        "0", "-0.5e-7", "\"\"", "true", "[]", "{}", "\r\n\t null \n", "\u{FEFF}[1]", "\"\u{10FFFF}\u{7F}\"",
    ])
    func acceptsAnyTopLevelValue(text: String) throws {
        _ = try tokens(text.utf8)
    }

    @Test func readsSequenceOfTexts() throws {
        let bytes = Array(#"{"a":1} [2] {}"#.utf8)[...]
        var scanner = JSONScanner(isSequence: true)
        var count = 0
        while try scanner.next(in: bytes.span) != .end { count += 1 }
        #expect(count == 9)
        #expect(throws: JSONError.self) { try tokens(#"{"a":1} [2]"#.utf8) }
    }

    @Test(arguments: [
        ("", 0, "expected a value, found the end of the text"),
        ("  ", 2, "expected a value, found the end of the text"),
        (#"{"a": 1 x}"#, 8, "expected ',' or '}' after the value, found 'x'"),
        (#"{"a": 1 "b": 2}"#, 8, #"expected ',' or '}' after the value, found '"'"#),
        ("[1 2]", 3, "expected ',' or ']' after the value, found '2'"),
        ("[1,]", 3, "expected a value, found ']'"),
        (#"{"a": 1,}"#, 8, "expected a key after ',', found '}'"),
        ("{a: 1}", 1, "expected a key or '}', found 'a'"),
        (#"{"a" 1}"#, 5, "expected ':' after the key, found '1'"),
        (#"{"a":}"#, 5, "expected a value, found '}'"),
        ("[1}", 2, "expected ',' or ']' after the value, found '}'"),
        ("[", 1, "expected a value, found the end of the text"),
        (#"{"a": 1"#, 7, "expected ',' or '}' after the value, found the end of the text"),
        ("1 2", 2, "expected nothing after the value, found '2'"),
        ("[] // x", 3, "expected nothing after the value, found '/'"),
        ("]", 0, "expected a value, found ']'"),
        ("undefined", 0, "expected a value, found 'undefined'"),
        ("[truex]", 1, "expected a value, found 'truex'"),
        ("nul", 0, "expected a value, found 'nul'"),
        ("'a'", 0, "expected a value, found '''"),
        ("01", 0, "expected a number without leading zeros"),
        ("-", 1, "expected a digit after '-', found the end of the text"),
        ("+1", 0, "expected a value, found '+'"),
        (".5", 0, "expected a value, found '.'"),
        ("1.", 2, "expected a digit after '.', found the end of the text"),
        ("1.e3", 2, "expected a digit after '.', found 'e3'"),
        ("1e+", 3, "expected a digit in the exponent, found the end of the text"),
        ("0x10", 1, "expected nothing after the value, found 'x10'"),
        (#""abc"#, 4, #"expected '"' at the end of the string, found the end of the text"#),
        (#""a\"#, 3, #"expected an escape after '\', found the end of the text"#),
        (#""a\x""#, 3, #"expected one of " \ / b f n r t u after '\', found 'x'"#),
        (#""\u12G4""#, 5, #"expected four hexadecimal digits after \u, found 'G4'"#),
        (#""\u12"#, 5, #"expected four hexadecimal digits after \u, found the end of the text"#),
        ("\"a\tb\"", 2, #"expected no control character in a string, found a tab: write it as \u0009"#),
        ("é", 0, "expected a value, found 'é'"),
        ("\u{0}", 0, "expected a value, found the byte 0x00"),
    ])
    func reportsExpectedSyntax(text: String, offset: Int, message: String) {
        #expect(throws: JSONError(offset: offset, message: message)) { try tokens(text.utf8) }
    }

    @Test(
        arguments: [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82], [0xC3], [0xFF],
        ] as [[UInt8]]
    )
    func rejectsInvalidUTF8(sequence: [UInt8]) {
        let text = [0x22, 0x61] + sequence + [0x22]
        let error = #expect(throws: JSONError.self) { try tokens(text) }
        #expect(error?.offset == 2)
    }

    @Test func limitsDepth() throws {
        let limit = JSONScanner.maximumDepth
        let deep = Array(repeating: UInt8(ascii: "["), count: limit) + Array(repeating: UInt8(ascii: "]"), count: limit)
        #expect(try tokens(deep).count == 2 * limit)
        let deeper = [UInt8(ascii: "[")] + deep
        let error = #expect(throws: JSONError.self) { try tokens(deeper) }
        #expect(error?.offset == limit)
    }

    @Test func staysAtEnd() throws {
        var reader = JSONReader(Array("1 ".utf8))
        _ = try reader.next()
        #expect(try reader.next() == .end)
        #expect(try reader.next() == .end)
    }

    @Test func skipsWholeValues() throws {
        let text = #"{"a": [1, {"b": "]"}] , "c" : "x" }"#
        var reader = JSONReader(Array(text.utf8))
        _ = try reader.next()
        _ = try reader.next()
        #expect(reader.spelling(of: try reader.skipValue()) == #"[1, {"b": "]"}]"#)
        _ = try reader.next()
        #expect(reader.spelling(of: try reader.skipValue()) == #""x""#)
        #expect(try reader.next() == .endObject)

        var other = JSONReader(Array(text.utf8))
        let token = try other.next()
        #expect(other.spelling(of: try other.skipRest(of: token)) == text)
        #expect(try other.next() == .end)
    }

    @Test func decodesStrings() throws {
        let text = #""q\"s\\s\/b\bf\fn\nr\rt\tu\u00e9\uD83D\uDE00\u0000é""#
        var reader = JSONReader(Array(text.utf8))
        guard case .string(let range) = try reader.next() else { throw JSONError(offset: 0, message: "no string") }
        #expect(try reader.string(of: range) == "q\"s\\s/b\u{8}f\u{C}n\nr\rt\tué😀\0é")
        #expect(try reader.utf8(of: range).elementsEqual("q\"s\\s/b\u{8}f\u{C}n\nr\rt\tué😀\0é".utf8))
    }

    @Test(arguments: [
        (#""a\ud800""#, 2), (#""\udc00""#, 1), (#""\ud800\u0041""#, 1), (#""\ud800\ud800\udc00""#, 1),
    ])
    func rejectsUnpairedSurrogates(text: String, offset: Int) throws {
        var reader = JSONReader(Array(text.utf8))
        guard case .string(let range) = try reader.next() else { throw JSONError(offset: 0, message: "no string") }
        let error = #expect(throws: JSONError.self) { try reader.utf8(of: range) }
        #expect(error?.offset == offset)
    }

    @Test func decodesEscapedLetter() throws {
        var reader = JSONReader(Array(#""n\u006fte""#.utf8))
        guard case .string(let range) = try reader.next() else { throw JSONError(offset: 0, message: "no string") }
        #expect(try reader.string(of: range) == "note")
    }

    @Test(arguments: [
        ("abc", 0, 1, 1), ("abc", 3, 1, 4), ("a\nb", 2, 2, 1), ("a\r\nb", 3, 2, 1), ("a\rb", 2, 2, 1),
        ("a\n\r\n\rb", 5, 4, 1), ("é😀x", 6, 1, 3), ("\u{FEFF}x", 3, 1, 1), ("\u{FEFF}x", 0, 1, 1), ("a\n", 2, 2, 1),
        ("abc", 99, 1, 4),
    ])
    func locatesOffset(text: String, offset: Int, line: Int, column: Int) {
        let place = FilePosition(offset: offset, in: Array(text.utf8))
        #expect(place == FilePosition(line: line, column: column))
    }

    @Test func locatesEachToken() throws {
        let bytes = Array("\u{FEFF}{\r\n\"é\"\n: [1,\r\r\n  2 ,\n\n\"x\"]\r}\n".utf8)
        var reader = JSONReader(bytes)
        while true {
            let token = try reader.next()
            var cursor = LocationCursor()
            let place = cursor.location(of: reader.tokenPlace, in: bytes)
            #expect(place == FilePosition(offset: reader.tokenPlace.offset, in: bytes))
            if token == .end { break }
        }
        #expect(FilePosition(offset: reader.tokenPlace.offset, in: bytes) == FilePosition(line: 9, column: 1))
    }

    @Test func cursorLocatesPlacesInAnyOrder() throws {
        let bytes = Array("\u{FEFF}[\"é\",\"😀\",\r\n1,\"éé\",2]".utf8)
        var reader = JSONReader(bytes)
        var places: [TextPlace] = []
        while try reader.next() != .end { places.append(reader.tokenPlace) }
        var cursor = LocationCursor()
        for index in [0, 1, 2, 3, 4, 5, 6, 5, 3, 2, 0, 2, 1, 0, 6, 3, 0] {
            let place = places[index]
            #expect(cursor.location(of: place, in: bytes) == FilePosition(offset: place.offset, in: bytes))
        }
    }
}
