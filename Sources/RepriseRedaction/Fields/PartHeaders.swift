// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Reads the header lines of a part of a multipart body.
enum PartHeaders {
    /// The header lines of a part are short.
    static let maximumLength = 16 << 10

    /// The end of the empty line behind the header lines; `nil` if it has not come or they are too long.
    static func end(in bytes: Span<UInt8>, from start: Int) -> Int? {
        var isEmpty = true
        for index in start..<min(bytes.count, start + maximumLength) {
            switch bytes[index] {
            case 0x0A where isEmpty: return index + 1
            case 0x0A: isEmpty = true
            case 0x0D: continue
            default: isEmpty = false
            }
        }
        return nil
    }

    /// The lines in `bytes`; what is not one is left out.
    static func lines(_ bytes: Span<UInt8>) -> [HeaderLine] {
        var lines: [HeaderLine] = []
        var line: [UInt8] = []
        for index in bytes.indices {
            if bytes[index] == 0x0A {
                if let header = HeaderLine(bytes: line) { lines.append(header) }
                line = []
            } else if bytes[index] != 0x0D {
                line.append(bytes[index])
            }
        }
        return lines
    }
}
