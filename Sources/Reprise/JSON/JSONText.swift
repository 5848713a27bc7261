// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// Finds values in a JSON text (RFC 8259).
///
/// The original bytes keep details that ``JSONValue`` loses: integers beyond 64 bits, digits beyond the precision of a
/// double, and which of two names that look alike a member has.
enum JSONText {
    /// Returns the bytes of the value at a path, or nil if there is no such value or the text up to it is invalid.
    static func value(at path: JSONPointer, in bytes: [UInt8]) -> [UInt8]? {
        var reader = JSONReader(bytes)
        do throws(JSONError) {
            var token = try reader.next()
            for step in path.tokens {
                guard let inner = try reader.enter(token, step) else { return nil }
                token = inner
            }
            return Array(bytes[try reader.skipRest(of: token)])
        } catch {
            return nil
        }
    }
}

extension JSONReader {
    /// Moves to the value that a step of a path names in the object or array that begins with `token`, the last token
    /// read. Returns the first token of the value, or nil if there is none.
    fileprivate mutating func enter(_ token: JSONToken, _ step: String) throws(JSONError) -> JSONToken? {
        switch token {
        case .beginObject:
            // Decoders use the first of several members with the same name.
            while case .key(let range) = try next() {
                let isFound = (try? string(of: range)) == step
                let value = try next()
                if isFound { return value }
                try skipRest(of: value)
            }
        case .beginArray:
            guard var index = JSONPointer.index(step) else { return nil }
            while case let value = try next(), value != .endArray {
                if index == 0 { return value }
                index -= 1
                try skipRest(of: value)
            }
        default: break
        }
        return nil
    }
}
