// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The header field by which a recorded request asked for a part of the content (a range), or for content only if it
/// has changed (a condition).
///
/// Only a request for the same range gets an answer with status 206 or 416 (RFC 9110 section 14.2). Only a request with a
/// condition gets an answer with status 304, which is for clients that already have the content (section 15.4.5). The
/// condition itself is not compared, because its value may be the time of the client's last request.
struct ContentSelection: Sendable, Hashable {
    /// The name of the header field, and its recorded value.
    let name: String
    let value: [UInt8]

    private static let conditions = ["If-None-Match", "If-Modified-Since"]
    private static let range = "Range"

    /// Returns the selection on which an answer with this status depends; `nil` if it depends on none.
    init?(_ headers: [HeaderLine], status: Int) {
        switch status {
        case 206, 416: self.init(headers, [Self.range])
        case 304: self.init(headers, Self.conditions)
        default: return nil
        }
    }

    private init?(_ headers: [HeaderLine], _ names: [String]) {
        guard let name = names.first(where: { name in headers.contains { $0.hasName(name) } }),
            let value = HeaderKey.values(of: [name], in: headers)[0]
        else { return nil }
        (self.name, self.value) = (name, value)
    }

    /// Returns the selections of a recorded request, whatever its answer was.
    static func all(in headers: [HeaderLine]) -> [ContentSelection] {
        [conditions, [range]].compactMap { ContentSelection(headers, $0) }
    }

    /// The bytes that tell selections apart.
    var key: [UInt8] { Self.key(name == Self.range ? value : nil) }

    private static func key(_ range: [UInt8]?) -> [UInt8] { range.map { Array("=".utf8) + $0 } ?? Array("?".utf8) }

    /// Returns the keys of the selections that a request matches. Conditions come first, because servers evaluate them
    /// first (RFC 9110 section 13.2.2).
    static func keys(of request: RequestView) -> [[UInt8]] {
        var keys: [[UInt8]] = []
        if conditions.contains(where: { request.joinedValue(named: $0) != nil }) { keys.append(key(nil)) }
        if let range = request.joinedValue(named: range) { keys.append(key(range)) }
        return keys
    }
}

extension RequestPattern {
    /// Returns the pattern of a recorded request that was answered with this status.
    package func answered(_ status: Int) -> RequestPattern { selecting(ContentSelection(headers, status: status)) }
}

extension [FixtureIndex.Entry] {
    /// Gives the selections of patterns to the patterns of equal requests with other answers, so that all of these
    /// answers are played in the recorded order.
    mutating func shareSelections(_ options: MatchingOptions) {
        func place(_ pattern: RequestPattern, _ selection: ContentSelection) -> RequestPlace {
            RequestPlace(
                pattern: pattern.selecting(nil).reduced(to: options).keepingHeaders([]),
                key: selection.key
            )
        }
        let places = Set(lazy.map(\.pattern).compactMap { pattern in pattern.selection.map { place(pattern, $0) } })
        guard !places.isEmpty else { return }
        for index in indices where self[index].pattern.selection == nil {
            let pattern = self[index].pattern
            let selections = ContentSelection.all(in: pattern.headers)
            guard let own = selections.first(where: { places.contains(place(pattern, $0)) }) else { continue }
            self[index].pattern = pattern.selecting(own)
        }
    }
}

private struct RequestPlace: Hashable {
    var pattern: RequestPattern
    var key: [UInt8]
}
