// SPDX-License-Identifier: Apache-2.0

package import RepriseDocuments
internal import RepriseText

/// A JSON text in which WireMock's reader accepts more than RFC 8259 does, rewritten as strict JSON.
///
/// Accepted are `//` and `/* */` comments, strings in single quotation marks, and `\'` in strings. Text after the value
/// is left for the reader to ignore. Everything else is unchanged, so that a strict reader finds the mistakes.
package struct LenientJSON {
    /// The strict text.
    package private(set) var strict: [UInt8] = []
    /// The offsets at which the difference between the lengths of the two texts changes, in order.
    private var shifts: [(strict: Int, written: Int)] = []

    /// Rewrites `written`.
    package init(_ written: [UInt8]) {
        guard written.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "'") }) else {
            strict = written
            return
        }
        strict.reserveCapacity(written.count)
        var index = 0
        while index < written.count {
            let byte = written[index]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                copyString(in: written, &index)
            } else if byte == UInt8(ascii: "/") {
                guard let end = Self.endOfComment(at: index, in: written) else {
                    // The reader stops here, or has ended before.
                    strict += written[index...]
                    return
                }
                strict.append(0x20)
                index = end
                shift(to: index)
            } else {
                strict.append(byte)
                index += 1
            }
        }
    }

    /// Returns the first value in `written`, or `nil` if it is not valid.
    package static func tree(_ written: [UInt8]) -> JSONTree? {
        // Nearly every text is strict.
        if let tree = try? JSONTree(parsing: written) { return tree }
        var reader = JSONReader(LenientJSON(written).strict)
        guard let token = try? reader.next() else { return nil }
        if case .end = token { return nil }
        return try? JSONTree.value(token, &reader)
    }

    /// Returns the first value, and the offset of what follows it, if anything does.
    func root() throws(JSONError) -> (node: JSONNode, rest: Int?) {
        var reader = JSONReader(strict)
        let node: JSONNode
        do throws(JSONError) { node = try JSONNode(&reader) { written($0) } } catch {
            throw JSONError(offset: written(error.offset), message: error.message)
        }
        do throws(JSONError) {
            return (node, try reader.next() == .end ? nil : written(reader.tokenPlace.offset))
        } catch {
            return (node, written(error.offset))
        }
    }

    /// Returns the offset in the written text of the byte at `offset` in the strict text.
    private func written(_ offset: Int) -> Int {
        // The last shift at or before the offset.
        var low = 0
        var high = shifts.count
        while low < high {
            let middle = (low + high) / 2
            if shifts[middle].strict <= offset { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return offset }
        return shifts[low - 1].written + offset - shifts[low - 1].strict
    }

    /// Notes that the next byte of the strict text is the byte at `index` of the written text.
    private mutating func shift(to index: Int) {
        shifts.append((strict.count, index))
    }

    /// Copies the string at `index`, with double quotation marks around it.
    private mutating func copyString(in written: [UInt8], _ index: inout Int) {
        let quote = written[index]
        strict.append(UInt8(ascii: "\""))
        index += 1
        while index < written.count, written[index] != quote {
            let byte = written[index]
            if byte == UInt8(ascii: "\\"), index + 1 < written.count {
                index += 1
                if written[index] == UInt8(ascii: "'") {
                    shift(to: index)
                } else {
                    strict.append(byte)
                }
                strict.append(written[index])
            } else {
                if byte == UInt8(ascii: "\"") {
                    strict.append(UInt8(ascii: "\\"))
                    shift(to: index)
                }
                strict.append(byte)
            }
            index += 1
        }
        guard index < written.count else { return }
        strict.append(UInt8(ascii: "\""))
        index += 1
    }

    /// Returns the index after the comment at `start`, or `nil` if there is none or it has no end.
    private static func endOfComment(at start: Int, in bytes: [UInt8]) -> Int? {
        guard start + 1 < bytes.count else { return nil }
        switch bytes[start + 1] {
        case UInt8(ascii: "/"):
            return bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
        case UInt8(ascii: "*"):
            var index = start + 2
            while index + 1 < bytes.count {
                if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: "/") { return index + 2 }
                index += 1
            }
            return nil
        default:
            return nil
        }
    }
}
