// SPDX-License-Identifier: Apache-2.0

/// The command-line arguments.
struct Options {
    enum Measure: String {
        case requests, download
    }

    var client: ClientKind
    var measure: Measure
    var url: String
    var concurrency = 16
    var seconds = 2.0

    init(_ arguments: some Sequence<String>) throws {
        var words: [String] = []
        var rest = Array(arguments)[...]
        while let word = rest.popFirst() {
            switch word {
            case "--concurrency": concurrency = rest.popFirst().flatMap(Int.init) ?? concurrency
            case "--seconds": seconds = rest.popFirst().flatMap(Double.init) ?? seconds
            default: words.append(word)
            }
        }
        guard words.count == 3, let client = ClientKind(rawValue: words[0]), let measure = Measure(rawValue: words[1])
        else { throw Usage() }
        self.client = client
        self.measure = measure
        url = words[2]
    }

    struct Usage: Error, CustomStringConvertible {
        var description: String {
            let clients = ClientKind.allCases.map(\.rawValue).joined(separator: "|")
            return "usage: ClientLoad \(clients) requests|download URL [--concurrency N] [--seconds S]"
        }
    }
}
