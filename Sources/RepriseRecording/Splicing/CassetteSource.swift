// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseDocuments
internal import RepriseStorage
internal import RepriseText

/// A cassette as written in its file, with the positions of its entries, so that some entries can be changed while the
/// others are kept byte for byte.
struct CassetteSource {
    let bytes: [UInt8]
    /// The cassette. Bodies in files are named but not read.
    let cassette: Cassette
    /// The range of the entries' array, including its brackets.
    let array: Range<Int>
    let entries: [Range<Int>]
    let path: String

    /// The text of a cassette without entries, as written by ``CassetteWriter``.
    static let empty = Array("{\n  \"reprise\": \(Cassette.Format.one.rawValue),\n  \"exchanges\": []\n}\n".utf8)

    static func isEmpty(_ path: String) -> Bool {
        guard let file = try? StorageFile(path, for: .reading) else { return false }
        return (try? file.read(at: 0, count: empty.count + 1)) == empty
    }

    /// Reads the cassette at `path`. If the file is missing, the cassette has no entries.
    ///
    /// - Throws: ``RecordingError`` if the file is not a valid cassette, because its content could not be kept.
    init(_ path: String) throws(RecordingError) {
        let bytes: [UInt8]
        do {
            let file = try StorageFile(path, for: .reading)
            bytes = try file.read(at: 0, count: file.size)
        } catch {
            guard error.isMissing else { throw RecordingError(cassette: path, error) }
            self.init(path, Self.empty, Cassette())
            return
        }
        do {
            let bodies = BodyFolder(cassette: path).bodies
            self.init(path, bytes, try CassetteReader.read(bytes, file: path, bodies: bodies).cassette)
        } catch {
            throw RecordingError(
                "\(error)\n\(path): correct the cassette, record to another path, or record in mode overwrite"
            )
        }
    }

    init(replacing path: String) {
        self.init(path, Self.empty, Cassette())
    }

    private init(_ path: String, _ bytes: [UInt8], _ cassette: Cassette) {
        self.path = path
        self.bytes = bytes
        self.cassette = cassette
        let places = (try? Self.places(in: bytes)) ?? (array: 0..<0, entries: [])
        array = places.array
        entries = places.entries
    }

    /// Finds the ranges of the entries in a text that was read without errors.
    private static func places(in bytes: [UInt8]) throws -> (array: Range<Int>, entries: [Range<Int>]) {
        var reader = JSONReader(bytes)
        var entries: [Range<Int>] = []
        _ = try reader.next()
        while case .key(let range) = try reader.next() {
            guard try reader.string(of: range) == CassetteKey.exchanges.name else {
                _ = try reader.skipValue()
                continue
            }
            _ = try reader.next()
            let start = reader.tokenPlace.offset
            while case let token = try reader.next(), token != .endArray {
                entries.append(try reader.skipRest(of: token))
            }
            return (start..<reader.tokenPlace.offset + 1, entries)
        }
        return (0..<0, entries)
    }
}
