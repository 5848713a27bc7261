// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// The keys of the format, for all of its objects.
package enum CassetteKey: String, Sendable, CaseIterable {
    case reprise, note, exchanges
    case request, response, failure, recorded
    case method, url, base, headers, comparesBody, body
    case status, http, after, stream, trailers
    case json, layout, text, base64, file, chunks
    case end, missing
    case at, milliseconds
    case standIns, shape, literal, informational

    /// The text of each key with the colon and the space after it, in the bit order of the groups.
    private static let spellings: [[UInt8]] = {
        let ordered = allCases.sorted { $0.group.rawValue < $1.group.rawValue }
        return ordered.map { Array("\"\($0.rawValue)\": ".utf8) }
    }()

    /// The text of this key in a cassette.
    var spelling: [UInt8] { Self.spellings[group.rawValue.trailingZeroBitCount] }

    static let table = JSONKeyTable<CassetteKey>()

    struct Group: OptionSet, Sendable {
        var rawValue: UInt32
    }

    /// The group that contains only this key.
    var group: Group {
        switch self {
        case .reprise: Group(rawValue: 1 << 0)
        case .note: Group(rawValue: 1 << 1)
        case .exchanges: Group(rawValue: 1 << 2)
        case .request: Group(rawValue: 1 << 3)
        case .response: Group(rawValue: 1 << 4)
        case .failure: Group(rawValue: 1 << 5)
        case .recorded: Group(rawValue: 1 << 6)
        case .method: Group(rawValue: 1 << 7)
        case .url: Group(rawValue: 1 << 8)
        case .headers: Group(rawValue: 1 << 9)
        case .comparesBody: Group(rawValue: 1 << 10)
        case .body: Group(rawValue: 1 << 11)
        case .status: Group(rawValue: 1 << 12)
        case .http: Group(rawValue: 1 << 13)
        case .after: Group(rawValue: 1 << 14)
        case .stream: Group(rawValue: 1 << 15)
        case .trailers: Group(rawValue: 1 << 16)
        case .json: Group(rawValue: 1 << 17)
        case .layout: Group(rawValue: 1 << 18)
        case .text: Group(rawValue: 1 << 19)
        case .base64: Group(rawValue: 1 << 20)
        case .file: Group(rawValue: 1 << 21)
        case .chunks: Group(rawValue: 1 << 22)
        case .end: Group(rawValue: 1 << 23)
        case .at: Group(rawValue: 1 << 24)
        case .milliseconds: Group(rawValue: 1 << 25)
        case .missing: Group(rawValue: 1 << 26)
        case .base: Group(rawValue: 1 << 27)
        case .standIns: Group(rawValue: 1 << 28)
        case .shape: Group(rawValue: 1 << 29)
        case .literal: Group(rawValue: 1 << 30)
        case .informational: Group(rawValue: 1 << 31)
        }
    }

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
        let candidates = allCases.filter { known.contains($0.group) }.map(\.rawValue)
        let meant = nearest(to: name, among: candidates).flatMap(CassetteKey.init(rawValue:))
        return (unknownName(name, "key", among: candidates), meant)
    }
}
