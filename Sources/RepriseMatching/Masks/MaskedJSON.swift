// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Leaves masked strings out of JSON texts.
enum MaskedJSON {
    /// The ways to the strings that have masks, in the order of the text.
    static func places(_ canonical: MaskedText) -> [RequestMask.Place] {
        var places: [RequestMask.Place] = []
        var strings = JSONStrings()
        while let string = strings.next(in: canonical.bytes.span) {
            guard let mask = ValueMask(canonical[string]) else { continue }
            places.append(RequestMask.Place(name: strings.way, mask: mask))
        }
        return places
    }

    /// Appends a canonical text without the strings at `places`, which are where `strings` says; `false` if one is
    /// missing, no string or too short.
    static func append(
        _ canonical: [UInt8],
        _ places: [RequestMask.Place],
        _ strings: [[UInt8]: Range<Int>],
        to key: inout [UInt8]
    ) -> Bool {
        guard places.allSatisfy({ strings[$0.name] != nil }) else { return false }
        var copied = 0
        // Members are in the order of their names, so all texts have the places in one order.
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

/// Walks over the strings of a JSON text in canonical form that are values.
struct JSONStrings {
    /// The way to the string that was found last: names and numbers of elements, each after a byte that canonical
    /// strings do not hold.
    private(set) var way: [UInt8] = []
    private var scanner = JSONScanner()
    private var containers: [Container] = []

    private struct Container {
        /// How long the way to it is.
        var start: Int
        /// The number of the next element; `nil` in an object.
        var element: Int?
    }

    /// Where in a canonical text the strings at `ways` are.
    static func ranges(of ways: Set<[UInt8]>, in canonical: [UInt8]) -> [[UInt8]: Range<Int>] {
        var ranges: [[UInt8]: Range<Int>] = [:]
        var strings = JSONStrings()
        while ranges.count < ways.count, let string = strings.next(in: canonical.span) {
            if ways.contains(strings.way) { ranges[strings.way] = string }
        }
        return ranges
    }

    /// The next string's range, without its quotes; `nil` at the end.
    mutating func next(in text: Span<UInt8>) -> Range<Int>? {
        while let token = try? scanner.next(in: text) {
            switch token {
            case .beginObject, .beginArray:
                enterElement()
                containers.append(Container(start: way.count, element: token == .beginArray ? 0 : nil))
            case .endObject, .endArray: containers.removeLast()
            case .key(let range):
                step(0x00)
                for index in range { way.append(text[index]) }
            case .string(let range):
                enterElement()
                return range
            case .number, .true, .false, .null: enterElement()
            case .end: return nil
            }
        }
        return nil
    }

    /// Goes on to the next element, if the innermost container is an array.
    private mutating func enterElement() {
        guard let element = containers.last?.element else { return }
        containers[containers.count - 1].element = element + 1
        step(0x01)
        way.append(contentsOf: "\(element)".utf8)
    }

    private mutating func step(_ separator: UInt8) {
        guard let start = containers.last?.start else { return }
        way.removeLast(way.count - start)
        way.append(separator)
    }
}
