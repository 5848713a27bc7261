// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Reprise

@Suite struct ServerSentEventTests {
    struct Message: Decodable, Equatable {
        var sentBy: String
    }

    @Test func decodesDataSpanningSeveralLines() throws {
        let event = ServerSentEvent(data: "{\"sentBy\":\n\"Ada\"}")
        #expect(try event.decode(as: Message.self) == Message(sentBy: "Ada"))
    }

    @Test func decodesWithCustomDecoder() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let message: Message = try ServerSentEvent(data: #"{"sent_by": "Ada"}"#).decode(using: decoder)
        #expect(message == Message(sentBy: "Ada"))
    }

    @Test(arguments: [
        (#"{"sentBy": 7}"#, "at sentBy: expected String, found number; the data begins"),
        ("{}", #"expected the key "sentBy", found none"#),
        ("[DONE]", "the data begins: [DONE]"), ("", "the data begins: (no data)"),
    ])
    func errorDescribesUndecodableData(data: String, expected: String) {
        let error = #expect(throws: ClientError.self) {
            try ServerSentEvent(name: "said", data: data).decode(as: Message.self)
        }
        #expect(error?.code == .decoding)
        #expect(error?.message.contains(#"cannot decode Message from the data of event "said": "#) == true)
        #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
        #expect(error?.underlying is DecodingError)
    }
}
