// SPDX-License-Identifier: Apache-2.0

package import RepriseText

extension ResponsePlan {
    /// Returns the plan with edits. Places refer to the recorded content, regardless of other edits. The exception is
    /// ``Bend/Edit/body(_:)-swift.enum.case``: it comes first, and places refer to the new content.
    ///
    /// - Parameters:
    ///   - bends: The edits, in any order. If several end the response, it ends at the first of their places.
    ///   - answer: The number of the answer in its sequence, starting at 1.
    /// - Throws: ``BendError`` if an edit cannot apply, such as one after event 9 of 5.
    package func bent(by bends: [Bend], answer: Int = 1) throws(BendError) -> ResponsePlan {
        let bends = bends.filter { $0.answers.map { answer <= $0 } ?? true }
        guard !bends.isEmpty else { return self }
        var bending = try Bending(self)
        try bending.apply(bends)
        return bending.plan
    }

    /// Returns the plans of the answers of a sequence, of which each is this plan with edits: those with edits of the
    /// first answers, and last the one that repeats.
    ///
    /// - Throws: ``BendError`` if an edit cannot apply.
    package func answersBent(by bends: [Bend]) throws(BendError) -> [ResponsePlan] {
        var plans = [try bent(by: bends)]
        let limits = Set(bends.compactMap(\.answers))
        let last = limits.max() ?? 0
        guard last > 0 else { return plans }
        for answer in 1...last {
            // As before, unless an edit no longer applies.
            plans.append(limits.contains(answer) ? try bent(by: bends, answer: answer + 1) : plans[answer - 1])
        }
        return plans
    }
}

extension ResponsePlan {
    /// The number of events in the content.
    ///
    /// - Throws: ``BendError`` if the content is not a readable stream of events in memory.
    package func eventCount() throws(BendError) -> Int { try Bending(self).eventCount() }
}

/// Applies edits to one response.
private struct Bending {
    private var head: ResponseHead
    private var latency = Duration.zero
    private var content = EditedContent()
    private var trailers: [HeaderLine]?
    private var ending = Ending.complete
    private var missing = 0
    private var keepsLength = false
    private let original: ResponsePlan

    init(_ plan: ResponsePlan) throws(BendError) {
        original = plan
        guard let head = plan.head else {
            throw BendError("expected a recorded response, found a recorded failure, which has nothing to edit")
        }
        self.head = head
        var hasHead = false
        for step in plan.steps {
            switch step {
            case .wait(let duration): if hasHead { content.append(wait: duration) } else { latency = duration }
            case .head: hasHead = true
            case .bytes(.bytes(let bytes)), .raw(let bytes): content.append(bytes)
            case .bytes(.file(let file)):
                throw BendError("expected a body in memory, found the file \(file.path)")
            case .partialChunk(let bytes, let missing):
                content.append(bytes)
                self.missing = missing
            case .trailers(let lines): trailers = lines
            case .end(let ending): self.ending = ending
            }
        }
    }

    func eventCount() throws(BendError) -> Int { try EventRanges(head, content).events().count }

    mutating func apply(_ bends: [Bend]) throws(BendError) {
        for bend in bends { try applyToHead(bend) }
        var places: [(place: EditedContent.Offset, order: Int, operation: Operation)] = []
        let ranges = EventRanges(head, content)
        for (order, bend) in bends.enumerated() {
            guard let operation = try operation(bend, ranges), operation.changesSomething else { continue }
            places.append((operation.place, order, operation))
        }
        places.sort { ($0.place, $0.order) < ($1.place, $1.order) }
        try apply(places.map(\.operation))
        for bend in bends {
            switch bend.edit {
            case .rechunk(let size): content = content.rechunked { size }
            case .rechunkRandomly(let seed):
                var random = SplitMix64(seed: seed)
                content = content.rechunked { Int.random(in: 1...16, using: &random) }
            default: continue
            }
        }
    }

    private mutating func applyToHead(_ bend: Bend) throws(BendError) {
        switch bend.edit {
        case .status(let status):
            guard (200...999).contains(status) else {
                throw BendError("expected a status from 200 to 999, found \(status)")
            }
            head.status = status
            head.reasonBytes = Array(ReasonPhrase.standard(for: status).utf8)
        case .header(let name, let value):
            guard let line = HeaderLine("\(name): \(value)") else {
                throw BendError("expected a header field, found '\(name): \(value)'")
            }
            head.headers.removeAll { $0.hasName(name) }
            head.headers.append(line)
            if line.hasName("Content-Length") { keepsLength = true }
        case .body(let bytes):
            content = EditedContent()
            content.append(bytes)
            (trailers, ending, missing) = (nil, .complete, 0)
        default: return
        }
    }

    /// What happens at one place of the content.
    private struct Operation {
        var place: EditedContent.Offset
        /// The number of bytes that are replaced.
        var removed = 0
        var inserted: [[UInt8]] = []
        var delay = Duration.zero
        var rate: Int?
        var ending: Ending?

        /// Whether the content has to be split here.
        var changesSomething: Bool {
            removed > 0 || inserted.contains { !$0.isEmpty } || delay > .zero || rate != nil || ending != nil
        }
    }

    private func operation(_ bend: Bend, _ ranges: EventRanges) throws(BendError) -> Operation? {
        var operation = Operation(place: try ranges.place(bend.place, content))
        switch bend.edit {
        case .status, .header, .body, .rechunk, .rechunkRandomly: return nil
        case .insert(let bytes): operation.inserted = [bytes]
        case .replace, .drop:
            let range = try ranges.range(bend.place)
            operation.place = EditedContent.Offset(bytes: range.lowerBound)
            operation.removed = range.count
            if case .replace(let bytes) = bend.edit { operation.inserted = [bytes] }
        case .repeat(let count):
            guard (1...10_000).contains(count) else {
                throw BendError("expected a number of times from 1 to 10000, found \(count)")
            }
            let range = try ranges.range(bend.place)
            operation.place = EditedContent.Offset(bytes: range.upperBound)
            operation.inserted = Array(repeating: Array(ranges.bytes[range]), count: count - 1)
        case .delay(let delay): operation.delay = max(.zero, delay)
        case .slow(let rate): operation.rate = rate
        case .stall: operation.ending = .timedOut
        case .reset: operation.ending = .reset
        case .truncate: operation.ending = .truncated
        }
        return operation
    }

    /// Applies operations, which are in the order of their places.
    private mutating func apply(_ operations: [Operation]) throws(BendError) {
        var done = EditedContent()
        var rest = content
        /// The place in the recorded content where `rest` begins, and how much of its first pause is in `done`.
        var start = EditedContent.Offset(bytes: 0)
        var rate: Int?
        for operation in operations {
            // An earlier edit may have removed the bytes at this place.
            let offset = max(0, operation.place.bytes - start.bytes)
            let time = offset == 0 ? max(.zero, operation.place.time - start.time) : operation.place.time
            let (before, after) = rest.split(at: EditedContent.Offset(bytes: offset, time: time))
            done.append(rate.map { before.slowed(to: $0) } ?? before)
            start = operation.place.bytes >= start.bytes ? operation.place : start
            rest = after
            if operation.removed > 0 {
                let (removed, kept) = rest.split(at: EditedContent.Offset(bytes: operation.removed))
                // The replacement arrives when the removed bytes would have arrived.
                if let first = removed.chunks.first { done.append(wait: first.wait) }
                rest = kept
                start = EditedContent.Offset(bytes: start.bytes + operation.removed)
            }
            for bytes in operation.inserted { done.append(bytes) }
            done.append(wait: operation.delay)
            if let new = operation.rate { rate = new }
            if let ending = operation.ending {
                content = done
                (self.ending, trailers, missing) = (ending, nil, 0)
                return
            }
        }
        done.append(rate.map { rest.slowed(to: $0) } ?? rest)
        content = done
    }

    /// The plan with the edits.
    var plan: ResponsePlan {
        var head = head
        let framing = ResponsePlan.Framing(method: "GET", status: head.status, headers: head.headers)
        let isGivenUp = original.framing == .none || framing == .none
        var steps = StepList()
        steps.wait(latency)
        if framing == .contentLength, !keepsLength, !isGivenUp {
            if ending == .complete {
                head.headers.correctContentLength(to: content.count)
            } else if let length = head.headers.firstValue(named: "Content-Length").flatMap({ Int($0) }),
                length <= content.count
            {
                // Otherwise the content would look complete.
                head.headers.correctContentLength(to: content.count + 1)
            }
        }
        steps.append(.head(head))
        guard !isGivenUp else {
            steps.append(.end(ending))
            return rebuilt(steps, .none)
        }
        for chunk in content.chunks {
            steps.wait(chunk.wait)
            steps.append(.bytes(.bytes(chunk.bytes)))
        }
        if missing > 0, framing == .chunked { steps.breakLastChunk(missing: missing) }
        steps.wait(content.lastWait)
        if ending == .complete, framing == .chunked, let trailers { steps.append(.trailers(trailers)) }
        steps.append(.end(ending))
        return rebuilt(steps, framing)
    }

    private func rebuilt(_ steps: StepList, _ framing: ResponsePlan.Framing) -> ResponsePlan {
        var plan = ResponsePlan(steps: steps.steps, framing: framing)
        plan.informational = original.informational
        return plan
    }
}
