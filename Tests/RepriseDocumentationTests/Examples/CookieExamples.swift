// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import Testing

/// The article "Send cookies", with a stub.
@Suite struct CookieExamples {
    @Test func sendsCookieOfSession() async throws {
        let stub = StubTransport {
            $0.post("/session", .status(.noContent).header("Set-Cookie", "sid=1; Path=/; Secure; HttpOnly"))
            $0.get("/users/me", .json(#"{"id": "ada"}"#))
        }
        try await Ambient.$transport.withValue(stub) {
            let password = "open sesame"
            let jar = CookieJar()
            let api = Client("https://api.example.com", configuration: .init(cookies: jar))

            try await api.post("/session").form(["user": "ada", "password": password]).send()
            let me: User = try await api.get("/users/me").value()  // sends the cookie of the session
            #expect(me.id == "ada")
            #expect(jar.cookies.map(\.name) == ["sid"])
        }
        #expect(stub.requests.map { $0.headers[.cookie] } == [nil, "sid=1"])
    }

    @Test func keepsCookies() throws {
        let jar = CookieJar([Cookie("sid", "1", domain: "api.example.com")])
        let data = try JSONEncoder().encode(jar.cookies)
        let restored = CookieJar(try JSONDecoder().decode([Cookie].self, from: data))
        #expect(restored.cookies == jar.cookies)
    }
}
