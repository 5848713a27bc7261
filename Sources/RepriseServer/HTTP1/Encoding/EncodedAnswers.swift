// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseFixtures
internal import RepriseIO
internal import RepriseText
private import RepriseWire

/// Answers in the form in which they are sent: those of the recordings and routes, or those of the stubs of a layer.
/// Immutable, and shared by all loops.
final class EncodedAnswers: Sendable {
    /// The plans to play, by the number of the answer.
    let plans: [ResponsePlan]
    /// The bytes of all responses that can be sent at once and keep the connection open, one after the other. A hit
    /// among 100,000 fixtures then touches two places in memory instead of a chain of objects.
    let blocks: [UInt8]
    /// The location of each fixture's block, by the fixture's position in the index.
    private let places: [BlockPlace]
    /// The other responses.
    private let responses: [Int: PreparedResponse]
    /// Responses in a block that are played in steps, and responses without chunks, once they are needed.
    private let variants = Locked<[Variant: PreparedResponse]>([:])
    private let encoder: HTTP1Encoder

    /// The maximum number of bytes of a response that is copied into a block. For a larger response, the time to find
    /// it matters little compared with the time to send it.
    private static let largestBlock = 16 << 10

    private struct Variant: Hashable {
        var fixture: Int
        /// Whether chunks are removed, for clients that do not support them.
        var isDechunked: Bool
    }

    /// Where a response is in ``blocks``: its head, the empty line, its content, and last the line that
    /// ``HeadTemplate/exposure`` describes.
    private struct BlockPlace {
        var start = 0
        /// The number of bytes of the response; 0 if it is not in a block.
        var count: UInt16 = 0
        /// The number of bytes of the head.
        var head: UInt16 = 0
        var originOffset: UInt16 = 0
        var exposure: UInt16 = 0
        var status: UInt16
        /// Whether the response depends on the request's conditions.
        var evaluatesConditions: Bool
        var traits: HeadTemplate.Traits = []
    }

    /// - Parameters:
    ///   - plans: The plans to play.
    ///   - isDated: Returns whether an answer gets a Date line.
    init(_ plans: [ResponsePlan], _ encoder: HTTP1Encoder, isDated: (Int) -> Bool = { _ in false }) {
        var blocks: [UInt8] = []
        var places: [BlockPlace] = []
        var responses: [Int: PreparedResponse] = [:]
        places.reserveCapacity(plans.count)
        for (number, plan) in plans.enumerated() {
            let response = encoder.response(plan, isDated: isDated(number))
            var place = BlockPlace(
                status: UInt16(plan.head?.status ?? 0),
                evaluatesConditions: plan.evaluatesConditions
            )
            if !Self.append(response, to: &blocks, at: &place) { responses[number] = response }
            places.append(place)
        }
        self.plans = plans
        self.blocks = blocks
        self.places = places
        self.responses = responses
        self.encoder = encoder
    }

    /// Appends a response to `blocks` if it is small and can be sent at once. Returns `false` otherwise.
    private static func append(
        _ response: PreparedResponse,
        to blocks: inout [UInt8],
        at place: inout BlockPlace
    ) -> Bool {
        guard let head = response.head, let content = response.immediateContent,
            head.bytes.count + head.exposure.count + content.count <= largestBlock
        else { return false }
        place.start = blocks.count
        place.head = UInt16(head.bytes.count)
        place.originOffset = UInt16(head.originOffset)
        place.exposure = UInt16(head.exposure.count)
        place.traits = head.traits
        blocks += head.bytes
        ResponseHeadEncoder.appendEndOfHead(to: &blocks)
        blocks += content
        place.count = UInt16(blocks.count - place.start)
        blocks += head.exposure
        return true
    }

    /// The range in ``blocks`` of the response that a client receives by default: it supports HTTP/1.1, keeps the
    /// connection open, and requests nothing else. `nil` if the response is not in a block, needs a Date line, or
    /// depends on the request's conditions.
    func block(of fixture: Int) -> Range<Int>? {
        let place = places[fixture]
        guard place.count > 0, !place.traits.contains(.isDated), !place.evaluatesConditions else { return nil }
        return place.start..<(place.start + Int(place.count))
    }

    /// Whether the fixture's response is in ``blocks``, and needs neither time nor files.
    func isImmediate(_ fixture: Int) -> Bool { places[fixture].count > 0 }

    /// The files that the fixture's response reads.
    func files(of fixture: Int) -> [FileSource] { responses[fixture]?.files ?? [] }

    /// Whether ``appendHead(of:to:for:date:)`` can be used for the fixture's response.
    func isBlock(_ fixture: Int, for client: PlanSerializer.Client) -> Bool {
        places[fixture].count > 0 && (client.minorVersion > 0 || plans[fixture].framing != .chunked)
    }

    /// Appends the head of the fixture's response for a client.
    ///
    /// - Parameter date: Returns the Date line with CR LF. Called only if the response needs one.
    /// - Returns: The range of the content in ``blocks``, and whether the connection closes after it.
    func appendHead(
        of fixture: Int,
        to output: inout [UInt8],
        for client: PlanSerializer.Client,
        date: () -> [UInt8]
    ) -> (content: Range<Int>, closes: Bool) {
        let place = places[fixture]
        let contentStart = place.start + Int(place.head) + 2
        let end = place.start + Int(place.count)
        let parts = HeadTemplate.Parts(
            head: blocks[place.start..<(place.start + Int(place.head))],
            originOffset: Int(place.originOffset),
            exposure: blocks[end..<(end + Int(place.exposure))],
            traits: place.traits
        )
        let date = place.traits.contains(.isDated) ? date() : []
        let closes = parts.append(to: &output, for: client, date: date)
        return (client.wantsHeadOnly ? end..<end : contentStart..<end, closes)
    }

    /// Whether the fixture's response depends on the request's conditions.
    func evaluatesConditions(_ fixture: Int) -> Bool { places[fixture].evaluatesConditions }

    /// The fixture's status; 0 for a failure without a response.
    func status(of fixture: Int) -> Int { Int(places[fixture].status) }

    /// Returns the response that plays the fixture's response to a client.
    ///
    /// - Parameter date: The Date line with CR LF, which is added if the response needs one.
    func response(of fixture: Int, to client: PlanSerializer.Client, date: [UInt8]) -> EncodedResponse {
        let plan = plans[fixture]
        let isDechunked = ClientFraming(client: client, framing: plan.framing).isDechunked
        let response = responses[fixture]
        if let response, !isDechunked { return response.response(for: client, date: date) }
        let isDated = (response?.head?.traits ?? places[fixture].traits).contains(.isDated)
        let variant = Variant(fixture: fixture, isDechunked: isDechunked)
        let prepared = variants.withLock { known in
            if let prepared = known[variant] { return prepared }
            let prepared = encoder.response(plan, isDated: isDated, isDechunked: isDechunked)
            known[variant] = prepared
            return prepared
        }
        return prepared.response(for: client, date: date)
    }
}
