// SPDX-License-Identifier: Apache-2.0

import Logging
import Reprise
import Testing

@Suite struct LoggingExamples {
    @Test func givesAClientALogger() {
        let logger = Logger(label: "bookshop")
        let api = Client("https://api.example.com", configuration: .init(logging: .simple(logger)))
        guard case .simple(let given) = api.configuration.logging else {
            Issue.record("nothing is logged")
            return
        }
        #expect(given.label == "bookshop")
    }
}
