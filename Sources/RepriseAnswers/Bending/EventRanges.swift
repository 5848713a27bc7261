// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Finds the events and lines of a stream, to which edits refer by number.
struct EventRanges {
    /// All bytes of the content.
    let bytes: [UInt8]
    private let head: ResponseHead

    init(_ head: ResponseHead, _ content: EditedContent) {
        self.head = head
        bytes = content.bytes
    }

    /// Returns the range of the event or line that a place refers to.
    func range(_ place: Bend.Place) throws(BendError) -> Range<Int> {
        switch place {
        case .event(let number), .afterEvent(let number): return try range(number, of: events(), "event")
        case .line(let number), .afterLine(let number):
            try requirePlain()
            return try range(number, of: StreamChunks.lines(bytes), "line")
        case .start, .afterByte, .afterTime:
            throw BendError("expected an event or a line to edit, found a place between bytes; name an event or a line")
        }
    }

    func place(_ place: Bend.Place, _ content: EditedContent) throws(BendError) -> EditedContent.Offset {
        switch place {
        case .start: return EditedContent.Offset(bytes: 0)
        case .event, .line: return EditedContent.Offset(bytes: try range(place).lowerBound)
        case .afterEvent, .afterLine: return EditedContent.Offset(bytes: try range(place).upperBound)
        case .afterByte(let count):
            guard (0...bytes.count).contains(count) else {
                throw BendError("expected a number of bytes from 0 to \(bytes.count), found \(count)")
            }
            return EditedContent.Offset(bytes: count)
        case .afterTime(let time):
            guard time >= .zero else { throw BendError("expected a time of zero or more, found \(time)") }
            guard time <= content.duration else {
                throw BendError("expected a time before the response ends, after \(content.duration), found \(time)")
            }
            return content.place(after: time)
        }
    }

    private func range(_ number: Int, of ranges: [Range<Int>], _ noun: String) throws(BendError) -> Range<Int> {
        guard (1...max(1, ranges.count)).contains(number), !ranges.isEmpty else {
            let expected = ranges.isEmpty ? "the response has none" : "the response has \(ranges.count)"
            throw BendError("expected \(noun) \(number), but \(expected)")
        }
        return ranges[number - 1]
    }

    func events() throws(BendError) -> [Range<Int>] {
        try requirePlain()
        let value = head.headers.firstValue(named: "Content-Type") ?? ""
        let type = MediaType(Array(value.utf8))
        if type.isEventStream { return StreamChunks.events(bytes) }
        if type.isJSONLines { return StreamChunks.lines(bytes) }
        if type.name == "multipart/x-mixed-replace" {
            guard let boundary = type.parameter("boundary") else {
                throw BendError("expected a boundary in the Content-Type, found '\(value)'")
            }
            return StreamChunks.parts(bytes, boundary: boundary)
        }
        throw BendError(
            "expected a stream of events, found the Content-Type '\(value)'; use the number of a line or byte instead"
        )
    }

    private func requirePlain() throws(BendError) {
        let codings = head.headers.contentCodings.joined(separator: ", ")
        guard codings.isEmpty else {
            throw BendError(
                "expected readable content, found the Content-Encoding '\(codings)'; use the number of a byte instead"
            )
        }
    }
}
