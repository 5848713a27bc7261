// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The part of the content that a Range field requests (RFC 9110 section 14.2).
enum RequestedRange: Sendable, Hashable {
    /// The whole content. The field is ignored because its unit is not bytes, or because it has an invalid range or
    /// more than one range.
    case whole
    /// These bytes.
    case part(Range<Int>)
    /// Bytes after the end of the content.
    case unsatisfiable

    /// Finds the part of `count` bytes that the value of a Range field requests.
    init(_ value: String, of count: Int) {
        guard let range = Self.onlyRange(in: value) else {
            self = .whole
            return
        }
        switch range {
        case .suffix(0): self = .unsatisfiable
        case .suffix(let length):
            // A Content-Range line cannot describe a part of empty content.
            self = count == 0 ? .whole : .part(max(0, count - length)..<count)
        case .from(let first, let last):
            self = first < count ? .part(first..<min(last ?? count - 1, count - 1) + 1) : .unsatisfiable
        }
    }

    private enum Specifier {
        /// The bytes from `first` to `last`, or to the end.
        case from(Int, last: Int?)
        /// The last bytes.
        case suffix(Int)
    }

    /// Parses the value. Returns `nil` if the server ignores it. The list may have empty members (RFC 9110 section
    /// 5.6.1.2).
    private static func onlyRange(in value: String) -> Specifier? {
        let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let members = parts[1].split(separator: ",").map { Substring($0.utf8.trimmingBlanks) }.filter { !$0.isEmpty }
        guard members.count == 1, let member = members.first, let dash = member.firstIndex(of: "-") else { return nil }
        let (start, end) = (member[..<dash], member[member.index(after: dash)...])
        if start.isEmpty { return number(end).map { .suffix($0) } }
        guard let first = number(start) else { return nil }
        if end.isEmpty { return .from(first, last: nil) }
        guard let last = number(end), first <= last else { return nil }
        return .from(first, last: last)
    }

    /// Returns the number, or half of the largest integer if it is larger, because no content is that long.
    private static func number(_ digits: Substring) -> Int? {
        digits.utf8.isDigits ? min(Int(digits) ?? .max, .max / 2) : nil
    }
}
