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
    /// Whether the recorded answer depends on the field.
    let isHonored: Bool

    private static let conditions = ["If-None-Match", "If-Modified-Since"]
    private static let range = "Range"

    /// Returns the selection of a recorded request; `nil` if it asked for the whole content.
    init?(_ headers: [HeaderLine], status: Int) {
        let isRange = status == 206 || status == 416
        isHonored = isRange || status == 304
        let names = isRange ? [Self.range] : status == 304 ? Self.conditions : Self.conditions + [Self.range]
        guard let name = names.first(where: { name in headers.contains { $0.hasName(name) } }),
            let value = HeaderKey.values(of: [name], in: headers)[0]
        else { return nil }
        (self.name, self.value) = (name, value)
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
    /// Removes a selection if none of the answers to equal requests depends on it. The others are kept for all of these
    /// requests, whatever their answers, so that the answers are played in the recorded order.
    mutating func removeIdleSelections() {
        func place(_ pattern: RequestPattern) -> RequestPlace? {
            pattern.selection.map { RequestPlace(pattern: pattern.selecting(nil).keepingHeaders([]), key: $0.key) }
        }
        let honored = Set(lazy.filter { $0.pattern.selection?.isHonored ?? false }.compactMap { place($0.pattern) })
        for index in indices {
            guard let place = place(self[index].pattern), !honored.contains(place) else { continue }
            self[index].pattern = self[index].pattern.selecting(nil)
        }
    }
}

private struct RequestPlace: Hashable {
    var pattern: RequestPattern
    var key: [UInt8]
}
