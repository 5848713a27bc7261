// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseText

/// The markers in exchanges and their body files, in order of appearance.
struct FoundMarkers {
    private(set) var texts: [String] = []
    private var known: Set<String> = []

    var numbers: Set<Int> { Set(texts.compactMap { RedactionMarker.number(of: $0) }) }

    mutating func add(_ text: [UInt8]) {
        for range in RedactionMarker.ranges(in: text.span) {
            let marker = RedactionMarker.text(text[range])
            if known.insert(marker).inserted { texts.append(marker) }
        }
    }

    mutating func add(_ exchange: Exchange, files: [String], in folder: BodyFolder) {
        exchange.forEachText { add($0) }
        for name in files {
            // A file that cannot be read is reported when the cassette is loaded.
            try? folder.forEachBlock(of: name, overlap: RedactionMarker.maximumLength) { add($0) }
        }
    }
}
