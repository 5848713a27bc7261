// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Names with values, in order: the header fields, query parameters, cookies, or form fields of a request.
package struct RequestPairs: Sendable {
    /// A name with a value.
    package struct Entry: Sendable {
        /// The name.
        package var name: ArraySlice<UInt8>
        /// The value.
        package var value: ArraySlice<UInt8>
    }

    /// The entries. The same name may occur several times.
    package var entries: [Entry] = []
    /// Whether names that differ only in the case of ASCII letters are equal.
    package let ignoresCase: Bool

    init(ignoringCase: Bool = false) { ignoresCase = ignoringCase }

    /// Creates the decoded pairs of a query or form.
    init(form text: ArraySlice<UInt8>) {
        self.init()
        entries = FormText.pairs(text).map { Entry(name: Self.decoded($0.name), value: Self.decoded($0.value)) }
    }

    private static func decoded(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard text.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else { return text }
        return FormText.decoded(text.span)[...]
    }

    /// Returns the values with a name. If names ignore case, `name` must be in lower case.
    package func values(named name: [UInt8]) -> [ArraySlice<UInt8>] {
        entries.filter { isName($0.name, name) }.map(\.value)
    }

    /// Whether `found` is the name `name`, which is in lower case if names ignore case.
    @inline(__always)
    func isName(_ found: ArraySlice<UInt8>, _ name: [UInt8]) -> Bool {
        guard found.count == name.count else { return false }
        let start = found.startIndex
        var offset = 0
        while offset < name.count {
            let byte = found[start + offset]
            let isEqual = byte == name[offset] || (ignoresCase && byte &- 0x41 < 26 && byte | 0x20 == name[offset])
            if !isEqual { return false }
            offset += 1
        }
        return true
    }
}
