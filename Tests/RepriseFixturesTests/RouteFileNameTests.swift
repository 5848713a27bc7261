// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseFixtures

@Suite struct RouteFileNameTests {
    @Test(arguments: [
        ("users/42.get.json", "GET", "/users/42", 200, "json"),
        ("users/index.post.201.json", "POST", "/users", 201, "json"),
        ("users/{id}.get.json", "GET", "/users/{id}", 200, "json"),
        ("users/{user_id}/orders/index.get.json", "GET", "/users/{user_id}/orders", 200, "json"),
        ("index.get.html", "GET", "/", 200, "html"),
        ("index/a.get.txt", "GET", "/index/a", 200, "txt"),
        ("index.html.get.html", "GET", "/index.html", 200, "html"),
        ("v1.2/status.v3.get.JSON", "GET", "/v1.2/status.v3", 200, "json"),
        ("users/42.DELETE.204.json", "DELETE", "/users/42", 204, "json"),
        ("a.head.json", "HEAD", "/a", 200, "json"),
        ("a.put.json", "PUT", "/a", 200, "json"),
        ("a.patch.json", "PATCH", "/a", 200, "json"),
        ("a.options.txt", "OPTIONS", "/a", 200, "txt"),
        ("a.trace.txt", "TRACE", "/a", 200, "txt"),
        ("a.connect.txt", "CONNECT", "/a", 200, "txt"),
        ("a.query.json", "QUERY", "/a", 200, "json"),
        ("health.get.204", "GET", "/health", 204, ""),
        ("health.get", "GET", "/health", 200, ""),
        ("get.get.json", "GET", "/get", 200, "json"),
        ("post.get.404.json", "GET", "/post", 404, "json"),
        ("fix.get.patch", "GET", "/fix", 200, "patch"),
        ("x.get.999.bin", "GET", "/x", 999, "bin"),
        ("a b/ü.get.txt", "GET", "/a%20b/%C3%BC", 200, "txt"),
        ("100%.get.txt", "GET", "/100%25", 200, "txt"),
        ("a%2Fb.get.txt", "GET", "/a%252Fb", 200, "txt"),
        ("a?b#c.get.txt", "GET", "/a%3Fb%23c", 200, "txt"),
        ("@me!$&'()*+,;=:~.get.txt", "GET", "/@me!$&'()*+,;=:~", 200, "txt"),
    ])
    func readsRoutes(path: String, method: String, route: String, status: Int, fileExtension: String) {
        let expected = RouteFileName(method: method, path: route, status: status, fileExtension: fileExtension)
        #expect(RouteFileName.parse(path) == .route(expected))
    }

    @Test(arguments: [
        "logo.png", "README.md", "notes", "get", "", "/", "..get.json",
        "users.json", "report.final.json", "a{b}.json", "jquery.min.js", "x.2024.json", "reprise.yaml",
    ])
    func treatsOtherNamesAsBodyFiles(path: String) {
        #expect(RouteFileName.parse(path) == .bodyFile())
    }

    @Test(arguments: [
        ("users.gte.json", "gte", "get"), ("users.psot.201.json", "psot", "post"), ("x.delet.json", "delet", "delete"),
        ("x.PUTT.txt", "PUTT", "put"), ("x.geet.txt", "geet", "get"), ("x.ost.txt", "ost", "post"),
    ])
    func suspectsMisspelledMethod(path: String, found: String, method: String) {
        #expect(RouteFileName.parse(path) == .bodyFile(suspect: .misspelledMethod(found: found, method: method)))
    }

    @Test(arguments: [
        ("app.get.min.js", "get"), ("logs.get.tar.gz", "get"), ("x.GET.json.gz", "GET"), ("x.get.2024-01.json", "get"),
        ("x.post.2o1.json", "post"), ("x.put.json.bak", "put"),
    ])
    func suspectsMisplacedMethod(path: String, method: String) {
        #expect(RouteFileName.parse(path) == .bodyFile(suspect: .misplacedMethod(method)))
    }

    @Test(arguments: [("get.json", "get"), ("users/get.json", "get"), ("users/POST.201.json", "POST")])
    func suspectsBareMethod(path: String, method: String) {
        #expect(RouteFileName.parse(path) == .bodyFile(suspect: .bareMethod(method)))
    }

    @Test(arguments: ["99", "2000", "0", "099", "1000", "00200", "100", "101", "199"])
    func rejectsStatusOutOfRange(status: String) {
        let message = "expected a status from 200 to 999 in the file name, found '\(status)'"
        #expect(RouteFileName.parse("users/42.get.\(status).json") == .problem(message))
        #expect(RouteFileName.parse("users/42.get.\(status)") == .problem(message))
    }

    @Test(arguments: ["{id", "id}", "{}", "a{b}", "{a}b", "{a}{b}", "{{a}}", "}a{", "{a b}", "{id:[0-9]}", "{*}"])
    func rejectsMalformedTemplateSegment(segment: String) {
        for path in ["users/\(segment).get.json", "\(segment)/users.get.json"] {
            guard case .problem(let message) = RouteFileName.parse(path) else {
                Issue.record("expected a problem with \(path)")
                continue
            }
            #expect(message.hasSuffix("found '\(segment)'"))
        }
    }
}
