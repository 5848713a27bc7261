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
            // Even `+5` is invalid.
            let fits = values.allSatisfy { Int(digits: $0.utf8.trimmingBlanks) == count }
            guard !fits, let corrected = self[index].replacingValue(with: String(count)) else { continue }
            self[index] = corrected
        }
    }
}
