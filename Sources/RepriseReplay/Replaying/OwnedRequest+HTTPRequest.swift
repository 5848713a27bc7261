// SPDX-License-Identifier: Apache-2.0

internal import Reprise
internal import RepriseCassettes
internal import RepriseFixtures
internal import RepriseMatching
internal import RepriseText

extension OwnedRequest {
    /// Creates a request from a client's request, without its body.
    ///
    /// - Parameter hasAllLines: Whether it has all header lines, instead of only the Content-Type.
    init(_ request: HTTPRequest, hasAllLines: Bool) {
        let method = request.method.rawValue
        let target = request.path ?? "/"
        // On a connection, a Host field that the client sets takes the place of the URL's host.
        let authority = HTTPField.Name.ofHost.flatMap { request.headerFields[$0] } ?? request.authority
        let contentType = request.headerFields[.contentType]
        var head: [UInt8] = []
        head.reserveCapacity(
            method.utf8.count + target.utf8.count + (authority?.utf8.count ?? 0) + (contentType?.utf8.count ?? 0) + 24
        )
        head += method.utf8
        let methodEnd = head.count
        head.append(0x20)
        let start = head.count
        head += target.utf8
        let end = head.count
        head += "\r\n".utf8
        var mark = start
        while mark < end, head[mark] != UInt8(ascii: "?") { mark += 1 }
        var ranges = RequestView.Ranges(
            method: 0..<methodEnd,
            path: start..<mark,
            query: mark < end ? mark + 1..<end : nil
        )
        let lines = head.count
        if hasAllLines {
            for line in request.headerFields.withJoinedCookies.lazy.compactMap(HeaderLine.init(field:)) {
                head += line.bytes + [0x0D, 0x0A]
            }
        } else if let contentType {
            head += "content-type:".utf8
            head += contentType.utf8
            head += "\r\n".utf8
        }
        ranges.headerLines = lines..<head.count
        if let authority {
            ranges.authority = head.count..<head.count + authority.utf8.count
            head += authority.utf8
        }
        self.init(head: head, ranges: ranges)
    }
}

extension HTTPRequest {
    func recorded(body: [UInt8] = []) -> RecordedRequest {
        RecordedRequest(
            method: method.rawValue,
            url: urlText,
            headers: headerFields.withJoinedCookies.compactMap(HeaderLine.init(field:)),
            body: body.isEmpty ? nil : RecordedBody(.bytes(body))
        )
    }
}

extension HeaderLine {
    /// Creates the line of a field; nil if the field cannot be sent.
    init?(field: HTTPField) {
        self.init("\(field.name.rawName): \(field.value)")
    }
}

extension HTTPField.Name {
    /// `Host`, which the client's requests have only if it sets one.
    fileprivate static let ofHost = HTTPField.Name("Host")
}
