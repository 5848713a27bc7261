// SPDX-License-Identifier: Apache-2.0

private import CRepriseZlib

/// The files of a ZIP archive (PKWARE APPNOTE 6.3), stored or deflated. Nothing is decoded before it is asked for.
///
/// The reader is strict: the archive is in one part, without encryption and ZIP64, and its central directory, which
/// alone counts, agrees with the files.
package struct ZipArchive: Sendable {
    /// Why an archive or a file in it cannot be read.
    package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        package let description: String

        fileprivate init(_ description: String) { self.description = description }
    }

    private struct Entry {
        var flags, method, checksum, packedSize, size, start: Int
    }

    private let bytes: [UInt8]
    private var entries: [String: Entry] = [:]

    /// The paths of the files.
    package var names: [String] { entries.keys.filter { !$0.hasSuffix("/") } }

    /// Reads the central directory of an archive.
    package init(_ bytes: [UInt8]) throws(Failure) {
        self.bytes = bytes
        // A comment of up to 65,535 bytes can follow the end record.
        let lowest = max(0, bytes.count - 22 - 0xFFFF)
        guard bytes.count >= 22,
            let end = (lowest...bytes.count - 22).last(where: {
                number($0, 4) == 0x0605_4B50 && number($0 + 20, 2) == bytes.count - 22 - $0
            })
        else { throw Failure("expected a ZIP archive with its directory at the end, found none; it may be incomplete") }
        let (count, size, start) = (number(end + 10, 2), number(end + 12, 4), number(end + 16, 4))
        guard number(end + 4, 4) == 0, count == number(end + 8, 2), count < 0xFFFF, start + size <= end else {
            throw Failure("expected a single-part ZIP archive without ZIP64")
        }
        var place = start
        for _ in 0..<count { try readEntry(at: &place, before: start + size) }
        // Files that share their data could make a small archive endless.
        guard entries.values.reduce(0, { $0 + $1.packedSize }) <= start else { throw Self.invalid }
    }

    private static let invalid = Failure("the directory of the ZIP archive does not agree with its files")

    private mutating func readEntry(at place: inout Int, before end: Int) throws(Failure) {
        guard place + 46 <= end, number(place, 4) == 0x0201_4B50 else { throw Self.invalid }
        let next = place + 46 + number(place + 28, 2) + number(place + 30, 2) + number(place + 32, 2)
        let name = bytes[place + 46..<min(end, place + 46 + number(place + 28, 2))]
        let local = number(place + 42, 4)
        guard next <= end, local + 30 + name.count <= bytes.count, number(local, 4) == 0x0403_4B50,
            number(local + 26, 2) == name.count, bytes[(local + 30)...].starts(with: name),
            case let text = String(decoding: name, as: UTF8.self), text.utf8.elementsEqual(name)
        else { throw Self.invalid }
        let entry = Entry(
            flags: number(place + 8, 2),
            method: number(place + 10, 2),
            checksum: number(place + 16, 4),
            packedSize: number(place + 20, 4),
            size: number(place + 24, 4),
            start: local + 30 + name.count + number(local + 28, 2)
        )
        guard entry.start + entry.packedSize <= bytes.count, entries.updateValue(entry, forKey: text) == nil else {
            throw Self.invalid
        }
        place = next
    }

    /// Returns the content of a file; `nil` if the archive has none with this path.
    ///
    /// - Parameter limit: The largest content to decode.
    package func content(of name: String, limit: Int) throws(Failure) -> [UInt8]? {
        guard let entry = entries[name] else { return nil }
        guard entry.size <= limit else { throw Failure("expected at most \(limit) bytes, found \(entry.size)") }
        let packed = Array(bytes[entry.start..<entry.start + entry.packedSize])
        let content: [UInt8]
        switch (entry.flags & 1, entry.method) {
        case (0, 0): content = packed
        case (0, 8): content = try Self.inflated(packed, size: entry.size)
        default: throw Failure("expected a file that is stored or deflated, found another method or a password")
        }
        let checksum = unsafe content.withUnsafeBufferPointer { unsafe crc32(0, $0.baseAddress, uInt($0.count)) }
        guard content.count == entry.size, Int(checksum) == entry.checksum || content.isEmpty else {
            throw Failure("expected \(entry.size) bytes with a matching checksum, found damaged content")
        }
        return content
    }

    private static func inflated(_ packed: [UInt8], size: Int) throws(Failure) -> [UInt8] {
        var content: [UInt8] = []
        do throws(Inflater.Failure) {
            let stream = try InflateStream(.raw)
            var start = 0
            // One byte more than the size shows that there are more.
            while content.count <= size {
                let room = min(Inflater.maximumCount, size + 1 - content.count)
                let step = try stream.decode(packed, from: start, maximumCount: room)
                content += step.output
                start += step.consumed
                if step.isAtEnd || step.output.isEmpty && step.consumed == 0 { break }
            }
        } catch {
            throw Failure("expected deflate data, found invalid bytes")
        }
        return content
    }

    /// Returns the number in `count` bytes, of which the first is the lowest.
    private func number(_ start: Int, _ count: Int) -> Int {
        bytes[start..<start + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
