// SPDX-License-Identifier: Apache-2.0

internal import Reprise
internal import RepriseText

/// The head of a response in the form in which it is recorded: the original lines if the transport has them,
/// otherwise its fields.
struct RecordedHead {
    let status: Int
    private(set) var reason: [UInt8]
    private(set) var httpVersion: String?
    private(set) var lines: [HeaderLine]
    /// The number of lines that are not valid header lines and are therefore not recorded.
    private(set) var lostLines = 0

    init(_ response: Response) {
        status = response.status.code
        reason = Array(response.status.reasonPhrase.utf8)
        guard let raw = response.rawHead else {
            lines = response.headers.compactMap(HeaderLine.init(field:))
            lostLines = response.headers.count - lines.count
            return
        }
        let fields = raw.fieldLines
        lines = fields.compactMap { HeaderLine(bytes: Array($0)) }
        lostLines = fields.count - lines.count
        read(statusLine: raw.statusLine)
    }

    /// Reads `HTTP/1.1 200 OK` (RFC 9112 section 4).
    private mutating func read(statusLine: ArraySlice<UInt8>) {
        let parts = statusLine.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
        guard let version = parts.first, version.starts(with: "HTTP/".utf8) else { return }
        let number = String(decoding: version.dropFirst(5), as: UTF8.self)
        httpVersion = number == "1.1" ? nil : number
        reason = parts.count > 2 ? Array(parts[2]) : []
    }
}
