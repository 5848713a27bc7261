// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Reads the header lines of a part of a multipart body.
enum PartHeaders {
    /// The maximum length of a part's header lines, in bytes.
    static let maximumLength = 16 << 10

    /// Returns the end of the empty line after the header lines, or `nil` if it has not arrived or the lines are too
    /// long.
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

    /// Returns the header lines in `bytes`. Invalid lines are left out.
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
