// SPDX-License-Identifier: Apache-2.0

/// Finds secrets in the views of each record of a stream: the data of an event, or a line.
struct RecordViews: Sendable {
    private let isEventStream: Bool
    private var scan: ViewScan
    /// The offset before which all records were looked at. The caller must pass the bytes from there on again.
    private(set) var position = 0
    /// The start of the line that is not complete yet.
    private var line = 0
    /// The offset up to which the line was searched for its end.
    private var searched = 0
    /// Whether the rest of the current record is skipped, because it is too large.
    private var isSkipping = false
    /// Whether any record was too large to be looked at as a whole.
    private(set) var isOverBudget = false

    init(_ rules: RedactionRules, isEventStream: Bool) {
        self.isEventStream = isEventStream
        scan = ViewScan(rules, size: 0)
    }

    /// Looks at the records that are complete, starting at ``position``.
    ///
    /// - Parameter bytes: The bytes of the body, starting at offset `base`.
    mutating func scan(_ bytes: Span<UInt8>, from base: Int, isLast: Bool, cuts: inout [Cut]) {
        while let end = nextLine(bytes, base, isLast) {
            let isEmpty = isEventStream && isLineEnd(bytes[line - base])
            line = end
            searched = end
            guard isEmpty || !isEventStream || end == base + bytes.count && isLast else {
                skipLongRecord(at: end)
                continue
            }
            if !isSkipping, end - position <= DecodedViews.budget {
                look(at: bytes.extracting(position - base..<end - base))
            } else {
                isOverBudget = true
            }
            isSkipping = false
            position = end
        }
        skipLongRecord(at: base + bytes.count)
        cuts += scan.takeCuts()
    }

    /// Stops waiting for the end of a record that is too large. The result does not depend on how the body is split,
    /// because a record is only looked at if its size is known to be small enough.
    private mutating func skipLongRecord(at end: Int) {
        guard end - position > DecodedViews.budget || isSkipping else { return }
        isSkipping = true
        isOverBudget = true
        position = line
    }

    private func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || (isEventStream && byte == 0x0D) }

    /// Returns the end of the current line, after its line ending, or `nil` if it has not arrived.
    private mutating func nextLine(_ bytes: Span<UInt8>, _ base: Int, _ isLast: Bool) -> Int? {
        var index = searched - base
        while index < bytes.count, !isLineEnd(bytes[index]) { index += 1 }
        guard index < bytes.count else {
            searched = base + index
            return isLast && line < searched ? searched : nil
        }
        guard bytes[index] == 0x0D else { return base + index + 1 }
        guard index + 1 < bytes.count || isLast else {
            searched = base + index
            return nil
        }
        return base + index + (index + 1 < bytes.count && bytes[index + 1] == 0x0A ? 2 : 1)
    }

    // MARK: Records

    private mutating func look(at record: Span<UInt8>) {
        scan.restart(at: position, size: record.count)
        guard isEventStream else { return scan.look(at: record) }
        var start = 0
        var data: Range<Int>?
        var joined: DecodedText?
        while start < record.count {
            let end = record.lineEnd(from: start)
            if record.has(Self.data, at: start) {
                let first = start + 5 < end && record[start + 5] == 0x20 ? start + 6 : start + 5
                if let data {
                    // The data lines of one event are joined with a line feed.
                    if joined == nil {
                        joined = DecodedText()
                        joined?.append(record, data)
                    }
                    joined?.append([0x0A], for: start..<start)
                    joined?.append(record, first..<end)
                } else {
                    data = first..<end
                }
            } else {
                scan.look(at: record, inside: start..<end)
            }
            start = end + 1
        }
        if let joined {
            guard scan.open(joined.lineMap) else { return }
            let bytes = joined.bytes[...]
            scan.look(at: bytes.span)
            scan.close()
        } else if let data {
            scan.look(at: record, inside: data)
        }
    }

    private static let data = Array("data:".utf8)
}
