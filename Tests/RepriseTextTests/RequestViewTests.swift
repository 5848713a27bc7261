// SPDX-License-Identifier: Apache-2.0

import RepriseText
import Testing

@Suite struct RequestViewTests {
    private let request = OwnedRequest(
        method: "POST",
        url: "/users?page=2",
        headers: lines("Host: a.example:80", "X-Tenant:one ", "Accept: */*", "x-tenant: \ttwo\t", "X-Tenant-2: three"),
        body: [1, 2, 3]
    )

    @Test func exposesPartsOfRequest() {
        #expect(request.parts == ["POST", "/users", "page=2", "a.example:80", "\u{1}\u{2}\u{3}"])
    }

    @Test(arguments: [("/a", false, ""), ("/a?", false, ""), ("/a?b", true, "b")])
    func hasQueryOnlyIfNonempty(url: String, hasQuery: Bool, query: String) {
        let request = OwnedRequest(method: "GET", url: url)
        let found = request.view.hasQuery
        #expect(found == hasQuery)
        #expect(request.parts[2] == query)
    }

    @Test(arguments: [
        ("X-Tenant", "one, two"), ("x-tenant", "one, two"), ("ACCEPT", "*/*"), ("X-Tenant-2", "three"), ("Ten", nil),
        ("X-Tenant-", nil), ("", nil),
    ])
    func joinsValuesOfName(name: String, value: String?) {
        let joined = request.view.joinedValue(named: name)
        #expect(joined.map { String(decoding: $0, as: UTF8.self) } == value)
    }

    @Test func findsFirstValueOfName() {
        let (value, none) = (request.view.firstValue(named: "x-tenant"), request.view.firstValue(named: "Cookie"))
        #expect(value.map { Array(request.head[$0]) } == Array("one".utf8))
        #expect(none == nil)
    }

    @Test func preservesHeaderLines() {
        #expect(
            request.headers.map(\.bytes) == [
                Array("Host: a.example:80".utf8), Array("X-Tenant:one ".utf8), Array("Accept: */*".utf8),
                Array("x-tenant: \ttwo\t".utf8), Array("X-Tenant-2: three".utf8),
            ]
        )
    }

    @Test func readsHeaderLinesOfRawHead() {
        let head = Array("\r\nGET /a HTTP/1.1\r\nA: 1\r\nB:2\nC:\r\n\r\n".utf8)
        let ranges = RequestView.Ranges(method: 2..<5, path: 6..<8, headerLines: 19..<head.count)
        let request = OwnedRequest(head: head, ranges: ranges)
        #expect(request.headers.map(\.name) == ["A", "B", "C"])
        #expect(request.headers.map(\.value) == ["1", "2", ""])
    }

    @Test func prefersAuthorityOfURL() {
        let request = OwnedRequest(method: "GET", url: "https://A.example:443/a", headers: lines("Host: b.example"))
        #expect(request.parts[3] == "a.example")
        #expect(request.headers.map(\.value) == ["b.example"])
        let none = OwnedRequest(method: "GET", url: "/a")
        #expect(none.ranges.authority == nil && none.parts[3].isEmpty)
    }

    @Test func copyIsComplete() {
        var incomplete = request
        incomplete.isContentComplete = false
        let (copy, incompleteCopy) = (OwnedRequest(request.view), OwnedRequest(incomplete.view))
        #expect(copy == request)
        #expect(incompleteCopy == incomplete && incomplete != request)
    }
}

private func lines(_ lines: String...) -> [HeaderLine] { lines.compactMap { HeaderLine($0) } }

extension OwnedRequest {
    /// The method, path, query, authority, and content of its view.
    fileprivate var parts: [String] {
        let view = view
        return [text(view.method), text(view.path), text(view.query), text(view.authority), text(view.content)]
    }
}

private func text(_ bytes: Span<UInt8>) -> String {
    var copy: [UInt8] = []
    for index in bytes.indices { copy.append(bytes[index]) }
    return String(decoding: copy, as: UTF8.self)
}
