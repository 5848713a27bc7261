// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// What a request selects by its header fields: a part of the content (a range), or the content only if it has changed
/// (a condition).
struct ContentSelection: Sendable, Hashable {
    /// Whether the request has a condition. Its value is not compared, because it may be the time of the client's last
    /// request.
    var hasCondition = false
    /// The value of the field `Range`.
    var range: [UInt8]?

    static let conditions = ["If-None-Match", "If-Modified-Since"]
    static let rangeName = "Range"

    /// The names of the fields that can have what is selected, which is a range or a condition.
    var names: [String] { hasCondition ? Self.conditions : [Self.rangeName] }

    /// Whether a header line can have what is selected.
    func isIn(_ line: HeaderLine) -> Bool { names.contains { line.hasName($0) } }

    var isEmpty: Bool { !hasCondition && range == nil }
}

extension ContentSelection {
    /// Returns what a request selects.
    init(_ request: RequestView) {
        self.init(
            hasCondition: Self.conditions.contains { request.joinedValue(named: $0) != nil },
            range: request.joinedValue(named: Self.rangeName)
        )
    }

    /// Returns what a recorded request selects.
    init(_ request: RequestPattern) {
        let values = HeaderKey.values(of: Self.conditions + [Self.rangeName], in: request.headers)
        self.init(hasCondition: values[0] != nil || values[1] != nil, range: values[2])
    }

    /// Returns the part of a recorded selection that a request must have to get an answer with this status. Status 206
    /// and 416 are for requests with the same range (RFC 9110 section 14.2). Status 304 is for clients that already have
    /// the content, so it needs a condition (section 15.4.5).
    static func required(by status: Int, _ recorded: () -> ContentSelection) -> ContentSelection {
        switch status {
        case 206, 416: ContentSelection(range: recorded().range)
        case 304: ContentSelection(hasCondition: recorded().hasCondition)
        default: ContentSelection()
        }
    }

    /// The selections with less than this, those with a condition first.
    var smaller: [ContentSelection] {
        let parts = [ContentSelection(hasCondition: hasCondition), ContentSelection(range: range)]
        return isEmpty ? [self] : parts.filter { !$0.isEmpty } + [ContentSelection()]
    }

    /// Whether a request with this selection has what an answer requires.
    func satisfies(_ required: ContentSelection) -> Bool {
        (hasCondition || !required.hasCondition) && (required.range == nil || required.range == range)
    }
}

extension RequestPattern {
    /// Returns the pattern of a recorded request that was answered with this status.
    package func answered(_ status: Int) -> RequestPattern {
        requiring(ContentSelection.required(by: status) { ContentSelection(self) })
    }
}

extension [FixtureIndex.Entry] {
    /// What the recorded requests select, by their index. Empty if no answer requires it.
    var selections: [Int32: ContentSelection] {
        guard contains(where: { !$0.pattern.requiredSelection.isEmpty }) else { return [:] }
        var selections: [Int32: ContentSelection] = [:]
        for (index, entry) in enumerated() where !entry.pattern.headers.isEmpty {
            let selection = ContentSelection(entry.pattern)
            if !selection.isEmpty { selections[Int32(index)] = selection }
        }
        return selections
    }
}
