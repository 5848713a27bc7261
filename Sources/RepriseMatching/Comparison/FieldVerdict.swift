// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The result of comparing one field of a request with a fixture.
///
/// It stores the bytes of the request and the fixture unchanged. They are escaped and shortened only for display.
package struct FieldVerdict: Sendable, Hashable, CustomStringConvertible {
    /// Whether the request's value matches the fixture's.
    package let isEqual: Bool
    /// Whether the value must match for the fixture to answer. The host is not always required.
    package private(set) var isRequired: Bool
    package let name: Name
    let expectedValue: Value
    private(set) var foundValue: Value

    /// The same verdict on a value that must match.
    var required: FieldVerdict {
        var required = self
        required.isRequired = true
        return required
    }

    /// The name of a field.
    package enum Name: Sendable, Hashable {
        case method
        case path
        case query
        case queryPair(ArraySlice<UInt8>)
        case body
        case bodyPair(ArraySlice<UInt8>)
        /// A location in a JSON body, as a JSON Pointer (RFC 6901).
        case bodyPointer([UInt8])
        /// A part of a multipart body, by its name, or otherwise by its number starting at 1.
        case bodyPart(name: [UInt8]?, number: Int, isHeader: Bool)
        case header(String)
        /// A header field with a range or condition, which no option ignores.
        case selection(String)
        case host
    }

    enum Value: Sendable, Hashable {
        case nothing
        case bytes(ArraySlice<UInt8>)
        /// A value whose beginning is omitted.
        case rest(ArraySlice<UInt8>)
        case template([RequestPattern.Segment])
        case parts(Int)
        /// A value with masks. `isWhole` is true if it consists of a single mask.
        case masked(ArraySlice<UInt8>, isWhole: Bool)
        /// A value that must not be shown, with a description to show instead, such as "another text".
        case hidden(String)

        /// Creates a value that may have masks. The quotes of a JSON string with masks are ignored.
        init(_ text: MaskedText?) {
            guard let text, text.isMasked else {
                self.init(text?.bytes)
                return
            }
            let bytes = text.bytes
            let isString = bytes.count > 1 && bytes.first == UInt8(ascii: "\"") && bytes.last == UInt8(ascii: "\"")
            let inner = isString ? text[bytes.startIndex + 1..<bytes.endIndex - 1] : text
            self = .masked(inner.isWhole ? inner.bytes : bytes, isWhole: inner.isWhole)
        }

        init(_ bytes: ArraySlice<UInt8>?) {
            self = bytes.map { .bytes($0) } ?? .nothing
        }
    }

    init(_ name: Name, isEqual: Bool, isRequired: Bool = true, expected: Value, found: Value) {
        self.name = name
        self.isEqual = isEqual
        self.isRequired = isRequired
        expectedValue = expected
        foundValue = found
    }

    /// Replaces a value of the request that must not be shown. `hide` is called only for values that differ.
    mutating func hide(_ hide: (MissReport.Part) -> [UInt8]?) {
        guard !isEqual, case .bytes(let bytes) = foundValue, !bytes.isEmpty else { return }
        foundValue =
            hide(.value(name, Array(bytes))).map { .bytes($0[...]) } ?? .hidden("a hidden value, which may be a secret")
    }

    /// The name of the field: `method`, `path`, `query`, `query.page`, `body`, `body./user/name` (a JSON Pointer, RFC
    /// 6901), `body.file` (a field or part of a form), `host`, `header.Accept`.
    package var field: String { ReportWriter.text { $0.append(name) } }

    /// The value that the fixture expects, for display: control characters are escaped, and long values are cut.
    package var expected: String { ReportWriter.text { $0.append(expectedValue) } }

    /// The value in the request, for display.
    package var found: String { ReportWriter.text { $0.append(foundValue) } }

    /// A description such as `query.page: expected 2, found 3`, or `query.page: 2` if the values match.
    package var description: String { ReportWriter.text { $0.append(self) } }
}
