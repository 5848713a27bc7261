// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension JSONLayout {
    /// The maximum nesting depth of a body in a cassette, which itself uses some levels.
    private static let depthLimit = JSONScanner.maximumDepth - 8

    /// Returns the layout of `body` if it can be stored as JSON and restored byte for byte: an object or an array in
    /// a known layout, without duplicate keys, which editors drop.
    package static func exact(_ body: [UInt8]) -> JSONLayout? {
        guard let first = body.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
            isPlain(body)
        else { return nil }
        return JSONLayout(of: body)
    }

    /// Whether `body` is valid, within the depth limit, and without duplicate keys.
    private static func isPlain(_ body: [UInt8]) -> Bool {
        var reader = JSONReader(body)
        var keys: [Set<[UInt8]>] = []
        while true {
            guard let token = try? reader.next() else { return false }
            switch token {
            case .beginObject, .beginArray:
                keys.append([])
                if keys.count > depthLimit { return false }
            case .endObject, .endArray:
                keys.removeLast()
            case .key(let range):
                // Keys are equal if their decoded text is equal, regardless of escapes.
                guard keys[keys.count - 1].insert(reader.repairedUTF8(of: range)).inserted else { return false }
            case .end:
                return true
            case .string, .number, .true, .false, .null:
                continue
            }
        }
    }
}
