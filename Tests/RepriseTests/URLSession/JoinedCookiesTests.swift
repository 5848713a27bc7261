// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import Reprise

/// Foundation joins Set-Cookie fields with a comma and a space.
@Suite(.timeLimit(.minutes(3))) struct JoinedCookiesTests {
    @Test(arguments: [
        ("a=1", ["a=1"]), ("a=1, b=2", ["a=1", "b=2"]), ("a=1,b=2", ["a=1,b=2"]), ("a=1, b c=2", ["a=1, b c=2"]),
        ("a=1, =2", ["a=1, =2"]), ("a=1,", ["a=1,"]), ("a=1,b, c=2", ["a=1,b", "c=2"]), ("", [""]),
        (", a=1", ["", "a=1"]),
        (
            "a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT; Path=/, b=x y,z; Secure, c=3",
            ["a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT; Path=/", "b=x y,z; Secure", "c=3"]
        ),
        // A comma within quotes is part of the value. A quote that is never closed is an ordinary character.
        ("a=\"1, b=2\", c=3", ["a=\"1, b=2\"", "c=3"]), ("a=\"1, b=2, c=3\"; Path=/", ["a=\"1, b=2, c=3\"; Path=/"]),
        ("a=1\", b=2", ["a=1\"", "b=2"]), ("a=\"1\", b=\"2, 3\", c=4\"", ["a=\"1\"", "b=\"2, 3\"", "c=4\""]),
    ])
    func separates(joined: String, fields: [String]) {
        #expect(HTTPResponse.cookies(joined: joined).map(String.init) == fields)
    }

    @Test func urlSessionDeliversFieldForEachCookie() async throws {
        let server = try await ScriptedServer.answering { _ in
            """
            HTTP/1.1 200 OK\r\nSet-Cookie: a="x, y=z"; Path=/\r\nSet-Cookie: b=2; Expires=Sat, 15-Apr-17 21:01:22\r\n\
            Set-Cookie: c=3\r\nContent-Length: 0\r\n\r\n
            """
        }
        let response = try await URLSessionTransport().send(server.request())
        let expected = ["a=\"x, y=z\"; Path=/", "b=2; Expires=Sat, 15-Apr-17 21:01:22", "c=3"]
        #expect(response.headers[fields: .setCookie].map(\.value) == expected)
    }
}
