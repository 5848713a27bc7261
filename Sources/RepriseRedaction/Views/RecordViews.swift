// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Finds secrets in the views of each record of a stream: the data of an event, or a line.
///
/// A record that is larger than ``DecodedViews/budget`` is scanned for pairs as it arrives instead.
struct RecordViews: Sendable {
    private let isEventStream: Bool
    private let context: PairScanner.Context
    private var scan: DecodedTextScanner
    /// The start of the current record.
    private var start = 0
    /// The start of the line that is not complete yet.
    private var line = 0
    /// The offset up to which the line was searched for its end.
    private var searched = 0
    /// The scanner for the current record, if it is too large.
    private var pairs: PairScanner?
    /// The records that the last scan looked at as a whole, as ranges of the body.
    private(set) var records: [Range<Int>] = []
    /// Whether any record was too large to be looked at as a whole.
    private(set) var isOverBudget = false

    init(_ rules: RedactionRules, isEventStream: Bool) {
        self.isEventStream = isEventStream
        context = PairScanner.Context(isJSON: !isEventStream, hasRecords: true)
        scan = DecodedTextScanner(rules, size: 0)
    }

    /// The offset before which the redaction is decided.
    private(set) var decided = 0
    /// The offset of the first byte that the caller must pass again next time.
    private(set) var needed = 0

    /// Looks at the records that are complete.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the body, starting at offset `base`, which is at most ``needed``.
    ///   - skipped: Ranges of the body with whole records in which views find nothing, in order.
    mutating func scan(
        _ bytes: Span<UInt8>,
        from base: Int,
        isLast: Bool,
        skipping skipped: [Range<Int>] = [],
        names: SecretNames,
        cuts: inout [Cut]
    ) {
        records.removeAll(keepingCapacity: true)
        var next = 0
        while true {
            while next < skipped.count, skipped[next].lowerBound <= start {
                if start < skipped[next].upperBound { move(to: skipped[next].upperBound) }
                next += 1
            }
            guard let end = nextLine(bytes, base, isLast) else { break }
            let endsRecord = !isEventStream || isLineEnd(bytes[line - base]) || (isLast && end == base + bytes.count)
            line = end
            searched = end
            if endsRecord { endRecord(bytes, base, at: end, names, &cuts) }
        }
        scanLongRecord(bytes, base, upTo: base + bytes.count, isLast: false, names, &cuts)
        cuts += scan.takeCuts()
        decided = pairs?.position ?? start
        needed = min(line, decided - (pairs == nil ? 0 : PairScanner.lookBehind))
    }

    private mutating func move(to index: Int) {
        (start, line, searched) = (index, index, index)
    }

    private mutating func endRecord(
        _ bytes: Span<UInt8>,
        _ base: Int,
        at end: Int,
        _ names: SecretNames,
        _ cuts: inout [Cut]
    ) {
        if pairs == nil, end - start <= DecodedViews.budget {
            look(at: bytes.extracting(start - base..<end - base))
            records.append(start..<end)
        } else {
            scanLongRecord(bytes, base, upTo: end, isLast: true, names, &cuts)
            pairs = nil
        }
        start = end
    }

    /// Scans the current record up to `end` if it is too large.
    private mutating func scanLongRecord(
        _ bytes: Span<UInt8>,
        _ base: Int,
        upTo end: Int,
        isLast: Bool,
        _ names: SecretNames,
        _ cuts: inout [Cut]
    ) {
        guard end - start > DecodedViews.budget else { return }
        isOverBudget = true
        var scanner = pairs ?? PairScanner(at: start)
        let record = bytes.extracting(0..<end - base)
        scanner.scan(record, from: base, isLast: isLast, context: context, names: names, cuts: &cuts)
        pairs = scanner
    }

    private func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || (isEventStream && byte == 0x0D) }

    /// Returns the end of the current line, after its line ending, or `nil` if it has not arrived.
    private mutating func nextLine(_ bytes: Span<UInt8>, _ base: Int, _ isLast: Bool) -> Int? {
        var index = bytes.lineEnd(from: searched - base)
        while index < bytes.count, !isLineEnd(bytes[index]) { index = bytes.lineEnd(from: index + 1) }
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
        scan.restart(at: start, size: record.count)
        guard isEventStream else {
            scan.lookAtSiblings(record)
            if !HarmlessJSONCheck.isPlain(record, scan.rules.names) { scan.look(at: record) }
            return
        }
        var index = 0
        var data: Range<Int>?
        var joined: DecodedText?
        while index < record.count {
            let end = record.lineEnd(from: index)
            if record.has(Self.data, at: index) {
                let first = index + 5 < end && record[index + 5] == 0x20 ? index + 6 : index + 5
                if let data {
                    // The data lines of one event are joined with a line feed.
                    if joined == nil {
                        joined = DecodedText()
                        joined?.append(record, data)
                    }
                    joined?.append(0x0A, for: index..<index)
                    joined?.append(record, first..<end)
                } else {
                    data = first..<end
                }
            } else {
                // The name of the field says nothing about its value.
                let colon = record.firstIndex(of: UInt8(ascii: ":"), in: index..<min(index + 6, end))
                scan.look(at: record, inside: (colon.map { $0 + 1 } ?? index)..<end)
            }
            index = end + 1
        }
        if let joined {
            guard scan.open(joined.lineMap) else { return }
            let bytes = joined.bytes[...]
            scan.look(at: bytes.span)
            scan.close()
        } else if let data {
            guard HarmlessJSONCheck.isPlain(record.extracting(data), scan.rules.names) else {
                return scan.look(at: record, inside: data)
            }
            guard scan.open(.part(at: data.lowerBound)) else { return }
            scan.lookAtSiblings(record.extracting(data))
            scan.close()
        }
    }

    private static let data = Array("data:".utf8)
}
