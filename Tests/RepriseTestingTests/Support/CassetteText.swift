// SPDX-License-Identifier: Apache-2.0

import Reprise
import RepriseTesting

/// A cassette of GET requests to `https://api.example.com`, each answered with a text.
func cassetteText(_ exchanges: [(path: String, text: String)]) -> String {
    let entries = exchanges.map { path, text in
        """
            {
              "request": {"method": "GET", "url": "https://api.example.com\(path)", "headers": []},
              "response": {"status": "200 OK", "headers": ["Content-Type: text/plain"], "body": {"text": "\(text)"}}
            }
        """
    }
    return "{\n  \"reprise\": 1,\n  \"exchanges\": [\n\(entries.joined(separator: ",\n"))\n  ]\n}\n"
}

/// Acts like code under test, which creates its own client.
func text(at path: String) async throws -> String {
    try await Client("https://api.example.com").get(RequestPath(raw: path)).send().text
}
