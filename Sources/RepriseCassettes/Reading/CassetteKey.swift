// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// The keys of the format, for all of its objects.
package enum CassetteKey: UInt32, JSONMemberKey {
    case reprise, note, exchanges
    case request, response, failure, recorded
    case method, url, base, headers, comparesBody, body
    case status, http, after, stream, trailers
    case json, layout, text, base64, file, chunks
    case end, missing
    case at, milliseconds
    case standIns, shape, literal, informational

    /// The names in the order of the keys.
    private static let names: [String] = [
        "reprise", "note", "exchanges",
        "request", "response", "failure", "recorded",
        "method", "url", "base", "headers", "comparesBody", "body",
        "status", "http", "after", "stream", "trailers",
        "json", "layout", "text", "base64", "file", "chunks",
        "end", "missing",
        "at", "milliseconds",
        "standIns", "shape", "literal", "informational",
    ]
    /// The text of each key with the colon and the space after it.
    private static let spellings = names.map { Array("\"\($0)\": ".utf8) }

    /// The key as it is written.
    package var name: String { Self.names[Int(rawValue)] }

    /// The text of this key in a cassette.
    var spelling: [UInt8] { Self.spellings[Int(rawValue)] }

    static let table = JSONKeyTable<CassetteKey>()

    struct Group: OptionSet, Sendable {
        var rawValue: UInt32
    }

    /// The group that contains only this key.
    var group: Group { Group(rawValue: 1 << rawValue) }

    /// The keys that each object can have.
    static let ofCassette = group(.reprise, .note, .standIns, .exchanges)
    static let ofStandIn = group(.note, .text, .shape, .literal)
    static let ofExchange = group(.note, .request, .response, .failure, .end, .recorded)
    static let ofRequest = group(.note, .method, .url, .base, .headers, .comparesBody, .body, .trailers)
    static let ofResponse = group(.note, .status, .http, .after, .headers, .body, .stream, .trailers, .informational)
    static let ofInformational = group(.note, .status, .after, .headers)
    static let ofBody = group(.note, .json, .layout, .text, .base64, .file, .chunks)
    static let ofStep = group(.note, .after, .text, .base64, .end, .missing)
    static let ofHeaderLine = group(.note, .base64)
    static let ofRecording = group(.note, .at, .milliseconds)

    private static func group(_ keys: CassetteKey...) -> Group {
        keys.reduce(into: []) { $0.insert($1.group) }
    }

    /// Returns the message for an unknown key `name`, and the known key that was probably meant.
    static func unknown(_ name: String, known: Group) -> (message: String, meant: CassetteKey?) {
        let candidates = allCases.filter { known.contains($0.group) }
        let names = candidates.map(\.name)
        let meant = nearest(to: name, among: names).flatMap { near in candidates.first { $0.name == near } }
        return (unknownName(name, "key", among: names), meant)
    }
}
