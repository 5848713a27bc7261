// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// Omits masked strings and numbers from JSON texts.
enum MaskedJSON {
    /// Returns the locations of the strings and numbers with masks, in the order of the text.
    static func places(_ canonical: MaskedText) -> [RequestMask.Place] {
        var places: [RequestMask.Place] = []
        var strings = JSONStrings()
        while let string = strings.next(in: canonical.bytes.span) {
            guard let mask = KeyMask(canonical[string]) else { continue }
            places.append(RequestMask.Place(name: strings.location, mask: mask))
        }
        return places
    }

    /// Appends a canonical text without the values at `places`, whose ranges are in `strings`. Returns `false` if a
    /// value is missing, is neither a string nor a number, or is too short.
    static func append(
        _ canonical: [UInt8],
        _ places: [RequestMask.Place],
        _ strings: [[UInt8]: Range<Int>],
        to key: inout [UInt8]
    ) -> Bool {
        guard places.allSatisfy({ strings[$0.name] != nil }) else { return false }
        var copied = 0
        // Members are sorted by name, so the places have the same order in all texts.
        for place in places {
            guard let string = strings[place.name] else { return false }
            key.append(contentsOf: canonical[copied..<string.lowerBound])
            guard place.mask.append(canonical[string], to: &key) else { return false }
            copied = string.upperBound
        }
        key.append(contentsOf: canonical[copied...])
        return true
    }
}

/// Iterates over the strings and numbers of a canonical JSON text.
struct JSONStrings {
    /// The location of the current value: the names of members and the numbers of elements, each preceded by a byte
    /// that canonical strings never contain.
    private(set) var location: [UInt8] = []
    private var scanner = JSONScanner()
    private var containers: [Container] = []

    private struct Container {
        /// The length of the location of the container.
        var start: Int
        /// The number of the next element; `nil` in an object.
        var element: Int?
    }

    /// Returns the ranges of the strings and numbers at `locations` in a canonical text.
    static func ranges(of locations: Set<[UInt8]>, in canonical: [UInt8]) -> [[UInt8]: Range<Int>] {
        var ranges: [[UInt8]: Range<Int>] = [:]
        var strings = JSONStrings()
        while ranges.count < locations.count, let string = strings.next(in: canonical.span) {
            if locations.contains(strings.location) { ranges[strings.location] = string }
        }
        return ranges
    }

    /// Returns the range of the next number, or of the next string without its quotes, or `nil` at the end.
    mutating func next(in text: Span<UInt8>) -> Range<Int>? {
        while let token = try? scanner.next(in: text) {
            switch token {
            case .beginObject, .beginArray:
                enterElement()
                containers.append(Container(start: location.count, element: token == .beginArray ? 0 : nil))
            case .endObject, .endArray: containers.removeLast()
            case .key(let range):
                step(0x00)
                for index in range { location.append(text[index]) }
            case .string(let range), .number(let range):
                enterElement()
                return range
            case .true, .false, .null: enterElement()
            case .end: return nil
            }
        }
        return nil
    }

    /// Moves to the next element if the innermost container is an array.
    private mutating func enterElement() {
        guard let element = containers.last?.element else { return }
        containers[containers.count - 1].element = element + 1
        step(0x01)
        location.append(contentsOf: "\(element)".utf8)
    }

    private mutating func step(_ separator: UInt8) {
        guard let start = containers.last?.start else { return }
        location.removeLast(location.count - start)
        location.append(separator)
    }
}
