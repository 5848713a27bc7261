// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures
internal import RepriseStubAnswers
internal import RepriseText
internal import RepriseWire

/// What a stub changes about a request that it forwards, and about the response.
struct ProxyChanges {
    /// The prefix that is removed from the path.
    private let pathPrefix: [UInt8]
    /// The names of the header fields that are not forwarded: those that are removed or replaced.
    private let dropped: [String]
    let addedToRequest: [HeaderLine]
    /// The value of Host, if it is replaced.
    let host: String?
    let addedToResponse: [HeaderLine]
    /// The nanoseconds to wait before the request is forwarded.
    let delay: UInt64
    /// The stub, for the journal.
    let played: JournalRing.Answer

    /// The fields that frame a message, and the mark of one that was passed on. They are never removed or replaced.
    private static let framing = [
        "content-length", "transfer-encoding", "connection", "expect", "upgrade", "te",
        ForwardingHops.name.lowercased(),
    ]

    init(_ target: StubProxy.Target, delay: UInt64, played: JournalRing.Answer) {
        func isFraming(_ line: HeaderLine) -> Bool { Self.framing.contains { line.hasName($0) } }
        let added = target.addedToRequest.filter { !isFraming($0) }
        pathPrefix = Array((target.pathPrefixToRemove ?? "").utf8)
        host = added.last { $0.hasName("host") }?.value
        addedToRequest = added.filter { !$0.hasName("host") }
        addedToResponse = target.addedToResponse.filter { !isFraming($0) }
        let names = target.removedFromRequest + addedToRequest.map(\.name)
        dropped = names.map { $0.lowercased() }.filter { !Self.framing.contains($0) }
        self.delay = delay
        self.played = played
    }

    /// Whether a field of the client's request is left out.
    func drops(_ field: FieldRange, _ bytes: Span<UInt8>) -> Bool {
        dropped.contains { FieldName.matches(field.name, of: bytes, $0) }
    }

    func adds(_ name: String) -> Bool { addedToRequest.contains { $0.hasName(name) } }

    /// Returns the part of the path that is forwarded, and whether a slash precedes it.
    func path(_ path: Range<Int>, _ bytes: Span<UInt8>) -> (path: Range<Int>, needsSlash: Bool) {
        var rest = path
        if !pathPrefix.isEmpty, path.count >= pathPrefix.count,
            pathPrefix.indices.allSatisfy({ bytes[path.lowerBound + $0] == pathPrefix[$0] })
        {
            rest = (path.lowerBound + pathPrefix.count)..<path.upperBound
        }
        return (rest, rest.isEmpty || bytes[rest.lowerBound] != UInt8(ascii: "/"))
    }
}
