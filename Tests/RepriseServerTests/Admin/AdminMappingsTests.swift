// SPDX-License-Identifier: Apache-2.0

import RepriseStubs
import RepriseTestSupport
import RepriseText
import Testing

@testable import RepriseServer

/// Changes of stubs over a socket.
@Suite struct AdminMappingsTests {
    private static let unknown = "00000000-0000-0000-0000-000000000000"

    @Test func createdStubAnswersAndIsListed() async throws {
        let server = try await AdminTestServer.start()
        let created = try await server.admin(
            "POST",
            "/mappings",
            #"{"name": "a", "request": {"method": "GET", "url": "/a"}, "response": {"body": "hi"}}"#
        )
        #expect(created.status == 201)
        #expect(created.json["name"] == "a")
        #expect(created.json["uuid"] == created.json["id"])
        #expect(try await server.send("GET", "/a").body == "hi")
        let list = try await server.admin("GET", "/mappings").json
        #expect(list["meta"] == ["total": 1])
        #expect(list.first("mappings") == created.json)
        #expect(try await server.admin("GET", "/").json == list)
        #expect(try await server.admin("GET", "").head.contains("\r\nLocation: __admin/"))
        guard case .string(let id)? = created.json["id"] else { return }
        #expect(try await server.admin("GET", "/mappings/\(id)").json == created.json)
        await server.stop()
    }

    @Test func editedStubKeepsItsPlaceAndDeletedStubIsGone() async throws {
        let server = try await AdminTestServer.start()
        let first = try await server.add(#"{"request": {"url": "/a"}, "response": {"body": "1"}}"#)
        let second = try await server.add(#"{"request": {"url": "/a"}, "response": {"body": "2"}}"#)
        let edited = try await server.admin(
            "PUT",
            "/mappings/\(first)",
            #"{"request": {"url": "/a"}, "response": {"body": "3"}}"#
        )
        #expect(edited.status == 200)
        #expect(edited.json["id"] == .string(first))
        #expect(try await server.send("GET", "/a").body == "2")
        #expect(try await server.admin("DELETE", "/mappings/\(second)").status == 200)
        #expect(try await server.send("GET", "/a").body == "3")
        #expect(try await server.admin("DELETE", "/mappings/\(second)").status == 404)
        let old = #"{"id": "\#(first)", "request": {"url": "/a"}, "response": {"body": "4"}}"#
        #expect(try await server.admin("POST", "/mappings/edit", old).status == 204)
        #expect(try await server.send("GET", "/a").body == "4")
        #expect(try await server.admin("POST", "/mappings/remove", old).status == 200)
        #expect(try await server.send("GET", "/a").status == 404)
        await server.stop()
    }

    @Test func listIsPaged() async throws {
        let server = try await AdminTestServer.start()
        for number in 1...5 { try await server.add(#"{"name": "\#(number)", "request": {"url": "/a"}}"#) }
        let page = try await server.admin("GET", "/mappings?limit=2&offset=1").json
        #expect(page.list("mappings").map { $0["name"] } == ["4", "3"])
        #expect(page["meta"] == ["total": 5])
        #expect(try await server.admin("GET", "/mappings?offset=9").json.list("mappings").isEmpty)
        #expect(try await server.admin("GET", "/mappings?limit=0").json.list("mappings").isEmpty)
        for query in ["limit=x", "limit=-1", "offset=x", "limit="] {
            #expect(try await server.admin("GET", "/mappings?\(query)").status == 422)
        }
        await server.stop()
    }

    @Test func firstStubOfImportIsTriedFirst() async throws {
        let server = try await AdminTestServer.start()
        let id = "11111111-0000-0000-0000-000000000000"
        try await server.add(#"{"request": {"url": "/old"}}"#)
        let text = """
            {"mappings": [{"id": "\(id)", "request": {"url": "/a"}, "response": {"body": "1"}}, \
            {"request": {"url": "/a"}, "response": {"body": "2"}}], "importOptions": {"deleteAllNotInImport": true}}
            """
        #expect(try await server.admin("POST", "/mappings/import", text).status == 200)
        #expect(try await server.send("GET", "/a").body == "1")
        #expect(try await server.send("GET", "/old").status == 404)
        let again = """
            {"mappings": [{"id": "\(id)", "request": {"url": "/a"}, "response": {"body": "3"}}], \
            "importOptions": {"duplicatePolicy": "IGNORE"}}
            """
        try await server.admin("POST", "/mappings/import", again)
        #expect(try await server.send("GET", "/a").body == "1")
        try await server.admin("POST", "/mappings/import", again.replacing("IGNORE", with: "OVERWRITE"))
        #expect(try await server.send("GET", "/a").body == "3")
        await server.stop()
    }

    @Test func importWithMistakeAddsNothing() async throws {
        let server = try await AdminTestServer.start()
        let text = #"{"mappings": [{"request": {"url": "/a"}}, {"request": {"urlPattern": "("}}]}"#
        let answer = try await server.admin("POST", "/mappings/import", text)
        #expect(answer.status == 422)
        #expect(try await server.admin("GET", "/mappings").json["meta"] == ["total": 0])
        await server.stop()
    }

    @Test func stubsAreFoundAndRemovedByMetadata() async throws {
        let server = try await AdminTestServer.start()
        try await server.add(#"{"name": "a", "request": {"url": "/a"}, "metadata": {"team": "shop"}}"#)
        try await server.add(#"{"name": "b", "request": {"url": "/b"}, "metadata": {"team": "pay"}}"#)
        try await server.add(#"{"name": "c", "request": {"url": "/c"}}"#)
        let matcher = #"{"matchesJsonPath": {"expression": "$.team", "equalTo": "shop"}}"#
        let found = try await server.admin("POST", "/mappings/find-by-metadata", matcher).json
        #expect(found.list("mappings").map { $0["name"] } == ["a"])
        #expect(try await server.admin("POST", "/mappings/remove-by-metadata", matcher).status == 200)
        #expect(try await server.admin("GET", "/mappings").json["meta"] == ["total": 2])
        #expect(try await server.admin("POST", "/mappings/find-by-metadata", "{}").status == 422)
        await server.stop()
    }

    @Test func unusedStubsAreListedAndRemoved() async throws {
        let server = try await AdminTestServer.start()
        try await server.add(#"{"name": "used", "request": {"url": "/a"}}"#)
        try await server.add(#"{"name": "unused", "request": {"url": "/b"}}"#)
        try await server.send("GET", "/a")
        let unused = try await server.admin("GET", "/mappings/unmatched").json
        #expect(unused.list("mappings").map { $0["name"] } == ["unused"])
        try await server.admin("DELETE", "/mappings/unmatched")
        #expect(try await server.admin("GET", "/mappings").json.list("mappings").map { $0["name"] } == ["used"])
        await server.stop()
    }

    @Test func resetRestoresStubsOfFilesAndEmptiesJournal() async throws {
        let folder = try TemporaryFolder([
            "mappings/a.json": #"{"request": {"url": "/a"}, "response": {"body": "file"}}"#
        ])
        let server = try await AdminTestServer.start(folder)
        try await server.admin("DELETE", "/mappings")
        try await server.add(#"{"request": {"url": "/b"}}"#)
        #expect(try await server.send("GET", "/a").status == 404)
        #expect(try await server.admin("POST", "/mappings/reset").status == 200)
        #expect(try await server.admin("GET", "/requests").json["meta"] == ["total": 0])
        #expect(try await server.send("GET", "/a").body == "file")
        #expect(try await server.send("GET", "/b").status == 404)
        await server.stop()
    }

    @Test(
        arguments: [
            ("POST", "/mappings", "", 422, "/"), ("POST", "/mappings", "{", 422, "/"),
            ("POST", "/mappings", "[]", 422, "/"),
            ("POST", "/mappings", "\u{0}", 422, "/"), ("POST", "/mappings", #"{"requst": {}}"#, 422, "/requst"),
            ("POST", "/mappings", #"{"id": "x"}"#, 422, "/id"),
            ("POST", "/mappings", #"{"request": {"headers": {"X": {"equls": "1"}}}}"#, 422, "/request/headers/X/equls"),
            ("POST", "/mappings", #"{"request": {"urlPattern": "("}}"#, 422, "/request/urlPattern"),
            ("POST", "/mappings", #"{"response": {"status": "x"}}"#, 422, "/response/status"),
            ("PUT", "/mappings/\(unknown)", "{}", 404, nil), ("PUT", "/mappings/x", "{}", 404, nil),
            ("GET", "/mappings/x", nil, 404, nil), ("GET", "/mappings/%00", nil, 404, nil),
            ("GET", "/mappings/..", nil, 404, nil), ("DELETE", "/mappings/\(unknown)", nil, 404, nil),
            ("POST", "/mappings/edit", "{}", 422, "/id"), ("POST", "/mappings/import", "{}", 422, "/mappings"),
            ("POST", "/mappings/import", #"{"mappings": {}}"#, 422, "/mappings"),
            ("POST", "/mappings/import", #"{"mapings": []}"#, 422, "/mapings"),
            ("PATCH", "/mappings", "{}", 404, nil), ("TRACE", "/mappings", nil, 404, nil),
            ("GET", "/nope", nil, 404, nil),
            ("GET", "/mappings/a/b", nil, 404, nil),
        ] as [(String, String, String?, Int, String?)]
    )
    func badRequestChangesNothing(
        method: String,
        path: String,
        body: String?,
        status: Int,
        pointer: String?
    ) async throws {
        let server = try await AdminTestServer.start()
        let id = try await server.add(#"{"request": {"url": "/kept"}}"#)
        let answer = try await server.admin(method, path, body)
        #expect(answer.status == status)
        #expect(answer.pointer == pointer.map { .string($0) }, "\(answer.body)")
        #expect(answer.detail.contains("expected"), "\(answer.body)")
        #expect(try await server.admin("GET", "/mappings").json.list("mappings").map { $0["id"] } == [.string(id)])
        await server.stop()
    }

    @Test func wrongMethodNamesAllowedMethods() async throws {
        let server = try await AdminTestServer.start()
        let answer = try await server.admin("PATCH", "/mappings")
        #expect(answer.head.contains("\r\nAllow: GET, POST, DELETE"))
        #expect(answer.detail == "expected GET or POST or DELETE for /__admin/mappings, found PATCH")
        #expect(try await server.admin("GET", "/mapings").detail.contains("did you mean /__admin/mappings?"))
        await server.stop()
    }

    @Test func contentAboveLimitIsRefused() async throws {
        let server = try await AdminTestServer.start()
        for size in [AdminAPI.contentLimit + 1, 100 << 20] {
            let client = try await RawClient.connect(port: server.server.port)
            let head = "POST /__admin/mappings HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(size)\r\n\r\n"
            try await client.send(head)
            let body = Array(repeating: UInt8(ascii: " "), count: AdminAPI.contentLimit + 1)
            if size < 100 << 20 { try? await client.send(body) }
            #expect(try await client.read(until: "\r\n").text.contains(" 413 "))
        }
        #expect(try await server.admin("GET", "/mappings").status == 200)
        await server.stop()
    }

    @Test func largeListArrivesWhole() async throws {
        let server = try await AdminTestServer.start()
        let body = String(repeating: "x", count: 100_000)
        for number in 0..<30 {
            try await server.add(#"{"request": {"url": "/\#(number)"}, "response": {"body": "\#(body)"}}"#)
        }
        let answer = try await server.admin("GET", "/mappings")
        #expect(answer.json.list("mappings").count == 30)
        let head = try await server.admin("HEAD", "/mappings")
        #expect(head.body.isEmpty)
        #expect(head.head.contains("Content-Length: \(answer.body.utf8.count)"))
        await server.stop()
    }
}
