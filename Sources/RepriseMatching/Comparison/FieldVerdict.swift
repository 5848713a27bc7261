// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// What matching says about one field of a request.
///
/// It holds bytes of the request and the fixture as they are; they are escaped and cut when they are shown.
package struct FieldVerdict: Sendable, Hashable, CustomStringConvertible {
    /// Whether the fixture expects the request's value.
    package let isEqual: Bool
    /// Whether a fixture that expects another value cannot answer. A host decides only if it is required, or if another
    /// fixture has the request's.
    package let isRequired: Bool
    package let name: Name
    let expectedValue: Value
    private(set) var foundValue: Value

    /// The name of a field.
    package enum Name: Sendable, Hashable {
        case method
        case path
        case query
        case queryPair(ArraySlice<UInt8>)
        case body
        case bodyPair(ArraySlice<UInt8>)
        /// A place in a JSON body (RFC 6901).
        case bodyPointer([UInt8])
        /// A part of a multipart body by its name, or else by its number from 1.
        case bodyPart(name: [UInt8]?, number: Int, isHeader: Bool)
        case header(String)
        case host
    }

    /// A value of a field.
    enum Value: Sendable, Hashable {
        case nothing
        case bytes(ArraySlice<UInt8>)
        /// What follows something that is left out.
        case rest(ArraySlice<UInt8>)
        case template([RequestPattern.Segment])
        case parts(Int)
        /// A value that has masks; `isWhole` if it is one mask and nothing else.
        case masked(ArraySlice<UInt8>, isWhole: Bool)
        /// A value that is not told, because the fixture's is masked: what it is, such as "another text".
        case hidden(String)

        /// A value that has masks. Of a JSON string, the quotes do not count.
        init(masked text: MaskedText) {
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

    /// A verdict on a value that has masks. What a request has there is not told: of a value that
    /// matches, the fixture's spelling stands for it.
    init(_ name: Name, isEqual: Bool, masked expected: MaskedText, found: Value?) {
        self.init(
            name,
            isEqual: isEqual,
            expected: Value(masked: expected),
            found: isEqual ? .bytes(expected.bytes) : found ?? .nothing
        )
    }

    /// Replaces a value of the request that must not be shown. Only a value that differs is asked about.
    mutating func hide(_ hide: (MissReport.Part) -> [UInt8]?) {
        guard !isEqual, case .bytes(let bytes) = foundValue, !bytes.isEmpty else { return }
        foundValue = hide(.value(name, Array(bytes))).map { .bytes($0[...]) } ?? .hidden("something that is not told")
    }

    /// The field: `method`, `path`, `query`, `query.page`, `body`, `body./user/name` (a JSON Pointer, RFC 6901),
    /// `body.file` (a field or part of a form), `host`, `header.Accept`.
    package var field: String { ReportWriter.text { $0.append(name) } }

    /// What the fixture expects, fit to be shown: control characters escaped, long values cut.
    package var expected: String { ReportWriter.text { $0.append(expectedValue) } }

    /// What the request has, fit to be shown.
    package var found: String { ReportWriter.text { $0.append(foundValue) } }

    /// `query.page: expected 2, got 3`, or `query.page: 2`.
    package var description: String { ReportWriter.text { $0.append(self) } }
}
