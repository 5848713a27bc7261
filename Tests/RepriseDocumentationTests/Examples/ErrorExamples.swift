// SPDX-License-Identifier: Apache-2.0

import Reprise
import Testing

/// The article "Handle errors", with a stub.
@Suite struct ErrorExamples {
    @Test(arguments: [
        (StubTransport.Answer.json(#"{"id": "b", "title": "c"}"#), "shown"), (.status(.notFound), "nothing"),
        (.text("no JSON"), "update"),
        (.failure(.connectionRefused), "again"),
    ])
    func distinguishesErrors(answer: StubTransport.Answer, expected: String) async throws {
        let api = Client("https://api.example.com", transport: StubTransport { $0.get("/books/42", answer) })
        var done = ""
        func show(_ book: Book) { done = "shown" }
        func showNothing() { done = "nothing" }
        func askForUpdate() { done = "update" }
        func offerToTryAgain() { done = "again" }
        do {
            let book: Book = try await api.get("/books/42").value()
            show(book)
        } catch let error as ClientError where error.status == .notFound {
            showNothing()
        } catch ClientError.Code.decoding {
            askForUpdate()
        } catch let error as ClientError where error.isConnectivity {
            offerToTryAgain()
        }
        #expect(done == expected)
    }
}
