// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
    internal import Reprise
    internal import RepriseServer

    extension TestLog {
        init(_ journal: Journal, of name: String) {
            self.init(name: name) {
                let omitted = journal.dropped > 0 ? ["… \(journal.dropped) earlier"] : []
                let lines = omitted + journal.entries.enumerated().map { "\($0 + journal.dropped + 1). \($1.line)" }
                return (lines.isEmpty ? ["The server received no requests."] : ["The server received:"] + lines)
                    .joined(separator: "\n  ") + "\n"
            }
        }
    }

    extension JournalEntry {
        /// A line such as `GET /users?page=2 -> 200, users.cassette.json:12 (2)`, without possible secrets.
        fileprivate var line: String {
            let method = HTTPRequest.Method(method).map { "\($0)" } ?? "?"
            let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: target)
            let place = fixture.map { ordinal > 0 ? "\($0) (\(ordinal))" : "\($0)" } ?? "no fixture"
            return "\(method) \(request.shownURL) -> \(status), \(place)"
        }
    }
#endif
