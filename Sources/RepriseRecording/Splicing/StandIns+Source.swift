// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseRedaction
internal import RepriseStorage
internal import RepriseText

extension StandIns {
    /// Creates the stand-ins for a cassette that keeps its entries. New stand-ins differ from the existing ones.
    ///
    /// In format 1, each marker without a number means any value. It keeps this meaning if the cassette gets a table.
    ///
    /// - Parameter isItsText: Whether the text that is redacted is this cassette's own, and not new traffic.
    convenience init(_ memory: SecretMemory, continuing source: CassetteSource?, isItsText: Bool) {
        guard let source, !source.entries.isEmpty else {
            self.init(memory, listed: source?.cassette.standIns ?? [])
            return
        }
        // A number that is not listed is part of a literal text.
        var markers = FoundMarkers()
        markers.add(source.bytes)
        let folder = BodyFolder(cassette: source.path)
        for exchange in source.cassette.exchanges { markers.add(exchange, files: exchange.bodyFiles, in: folder) }
        self.init(
            memory,
            listed: source.cassette.listingMarkers { $0.content }.standIns ?? [],
            reserved: markers.numbers,
            listsPlain: source.cassette.standIns == nil,
            keepsListed: isItsText
        )
    }
}

extension FileSource {
    /// The content of the file, or `nil` if it cannot be read.
    fileprivate var content: [UInt8]? {
        try? StorageFile(path, for: .reading).read(at: offset, count: size)
    }
}

extension CassetteSource {
    /// Returns the changes that list the stand-ins of a recording, or none if the recording needs no table.
    ///
    /// - Parameter format: The oldest format that can contain the recorded exchanges.
    func edits(listing standIns: StandIns, format: Cassette.Format) -> [CassetteHead.Edit] {
        let isUpgrade = cassette.standIns == nil
        guard standIns.needsTable || (isUpgrade && format == .two), let head = try? CassetteHead(bytes) else {
            return []
        }
        return head.edits(appending: isUpgrade ? standIns.listed : standIns.added)
    }

    /// Returns the bytes in `range` with the changes in it.
    func text(in range: Range<Int>, with edits: [CassetteHead.Edit]) -> [UInt8] {
        var output: [UInt8] = []
        var index = range.lowerBound
        for edit in edits where range.lowerBound <= edit.range.lowerBound && edit.range.upperBound <= range.upperBound {
            output += bytes[index..<edit.range.lowerBound] + edit.text
            index = edit.range.upperBound
        }
        return output + bytes[index..<range.upperBound]
    }
}
