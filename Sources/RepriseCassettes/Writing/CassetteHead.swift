// SPDX-License-Identifier: Apache-2.0

package import RepriseDocuments
internal import RepriseText

/// The parts of a cassette's text that change when stand-ins are added to it. Everything else stays as it is, so that a
/// file edited by hand keeps its layout.
package struct CassetteHead: Sendable, Hashable {
    /// A replacement of a part of the text. An empty range is an insertion.
    package struct Edit: Sendable, Hashable {
        /// The replaced part.
        package var range: Range<Int>
        /// The new text.
        package var text: [UInt8]
    }

    private var format: Range<Int>?
    /// The table of stand-ins, with its brackets, and its entries.
    private var table: Range<Int>?
    private var entries: [Range<Int>] = []
    /// The start of the key of the exchanges.
    private var exchanges: Int?
    private let bytes: [UInt8]

    /// Finds the parts in the text of a cassette that was read without errors.
    ///
    /// - Throws: A ``JSONError`` if the text is not JSON.
    package init(_ bytes: [UInt8]) throws(JSONError) {
        self.bytes = bytes
        var reader = JSONReader(bytes)
        _ = try reader.next()
        while case .key(let range) = try reader.next() {
            // The range is that of the text between the quotes.
            let start = reader.tokenPlace.offset
            switch CassetteKey.table.key(at: range, in: reader) {
            case .reprise?:
                format = try reader.skipValue()
            case .standIns?:
                _ = try reader.next()
                let open = reader.tokenPlace.offset
                while case let token = try reader.next(), token != .endArray {
                    entries.append(try reader.skipRest(of: token))
                }
                table = open..<reader.tokenPlace.offset + 1
            case .exchanges?:
                exchanges = start
                _ = try reader.skipValue()
            default:
                _ = try reader.skipValue()
            }
        }
    }

    /// Returns the changes that make the text one of format 2 and append `standIns` to its table, in the order of the
    /// text.
    package func edits(appending standIns: [StandIn]) -> [Edit] {
        var edits: [Edit] = []
        if let format, !bytes[format].elementsEqual([UInt8(ascii: "2")]) {
            edits.append(Edit(range: format, text: [UInt8(ascii: "2")]))
        }
        if let edit = self.edit(appending: standIns) { edits.append(edit) }
        return edits.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    private func edit(appending standIns: [StandIn]) -> Edit? {
        guard !standIns.isEmpty else { return nil }
        let texts = standIns.map { standIn in
            var text = CassetteText(path: nil, isOneLine: true)
            text.add(standIn)
            return text.builder.text
        }
        if let table, let last = entries.last {
            let before = entries.count > 1 ? entries[entries.count - 2].upperBound : table.lowerBound + 1
            let between = bytes[before..<last.lowerBound]
            let comma = between.firstIndex(of: UInt8(ascii: ","))
            let space = Array(comma.map { between[($0 + 1)...] } ?? between)
            let separator = [UInt8(ascii: ",")] + space
            let text = texts.flatMap { separator + $0 }
            return Edit(range: last.upperBound..<last.upperBound, text: text)
        }
        guard let exchanges else { return nil }
        let space = Array(bytes[..<exchanges].reversed().prefix(while: isDocumentSpace).reversed())
        let inner = space.contains(0x0A) ? space + space.suffix(while: { $0 != 0x0A }) : []
        var array = [UInt8(ascii: "[")] + inner
        array += texts.joined(separator: [UInt8(ascii: ",")] + (inner.isEmpty ? [0x20] : inner))
        array += (inner.isEmpty ? [] : space) + [UInt8(ascii: "]")]
        if let table { return Edit(range: table, text: array) }
        let text = Array("\"\(CassetteKey.standIns.name)\": ".utf8) + array + [UInt8(ascii: ",")] + space
        return Edit(range: exchanges..<exchanges, text: text)
    }
}

extension [UInt8] {
    /// The bytes at the end that all satisfy a condition.
    fileprivate func suffix(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        self[(lastIndex { !condition($0) }.map { $0 + 1 } ?? startIndex)...]
    }
}
