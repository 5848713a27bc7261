// SPDX-License-Identifier: Apache-2.0

package import RepriseText

extension ResponsePlan.Framing {
    /// Creates the framing of a response to `method` with this status and these header lines, by the rules for
    /// clients (RFC 9112 section 6.3): responses without content first, then Transfer-Encoding before Content-Length.
    package init(method: String, status: Int, headers: [HeaderLine]) {
        guard Self.allowsContent(method: method, status: status) else {
            self = .none
            return
        }
        if let codings = headers.lines(named: "Transfer-Encoding").last {
            let last = codings.value.split(separator: ",").last ?? ""
            let name = last.filter { $0 != " " && $0 != "\t" }
            self = name.lowercased() == "chunked" ? .chunked : .untilClose
        } else if headers.contains(where: { $0.hasName("Content-Length") }) {
            self = .contentLength
        } else {
            self = .untilClose
        }
    }

    /// Whether a response with `status` to a request with `method` can have content.
    package static func allowsContent(method: String, status: Int) -> Bool {
        switch status {
        case 100..<200, 204, 304: false
        case 200..<300 where method == "CONNECT": false
        default: method != "HEAD"
        }
    }
}

extension [HeaderLine] {
    /// Sets every Content-Length to `count`. A line that already has this value, even twice (`5, 5`), is unchanged.
    /// Other lines keep their position and the spelling of their names.
    package mutating func correctContentLength(to count: Int) {
        for index in indices where self[index].hasName("Content-Length") {
            let values = self[index].value.split(separator: ",", omittingEmptySubsequences: false)
            let fits = values.allSatisfy { Self.number($0) == count }
            guard !fits, let corrected = self[index].replacingValue(with: String(count)) else { continue }
            self[index] = corrected
        }
    }

    /// Returns the number in a Content-Length value, which must consist only of digits. Even `+5` is invalid.
    private static func number(_ value: Substring) -> Int? {
        let digits = value.utf8.filter { $0 != 0x20 && $0 != 0x09 }
        guard !digits.isEmpty, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Int(String(decoding: digits, as: UTF8.self))
    }
}
