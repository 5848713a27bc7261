// SPDX-License-Identifier: Apache-2.0

import Logging
import Reprise
import Testing

@Suite struct LoggingExamples {
    @Test func configuresLogger() {
        let logger = Logger(label: "bookshop")
        let api = Client("https://api.example.com", configuration: .init(logging: .simple(logger)))
        guard case .simple(let given) = api.configuration.logging else {
            Issue.record("expected simple logging")
            return
        }
        #expect(given.label == "bookshop")
    }
}
