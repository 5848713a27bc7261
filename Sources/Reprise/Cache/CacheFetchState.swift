// SPDX-License-Identifier: Apache-2.0

/// What has come of a request that many wait for, and who has read how much of it: no locks, no tasks.
///
/// A head comes first, or a failure. Then whoever has read all parts that are there asks for the next: one at a time
/// does so for all. Parts are kept for those who come later, as long as the whole of them can be stored.
struct CacheFetchState {
    /// How it begins.
    enum Arrival {
        /// A response for all. Its body is in memory, or is empty and comes as parts.
        case response(Response, isWhole: Bool)
        /// A response for one: it must not be shared, or is too large for it. The others have to ask for themselves.
        case alone(Response)
        case failure(TransportError)
    }

    /// What a reader has to do.
    enum Step {
        case take(Body.Part)
        case end(Result<Void, TransportError>)
        /// Ask for the next part, and then wait.
        case pull
        case wait
    }

    /// A head, for one who waits.
    enum Head {
        /// It is a response of which others may get the same; the body is to be read as parts unless it is whole.
        case response(Response, isWhole: Bool)
        case alone(Response)
        case askAgain
        case failure(TransportError)
    }

    /// How many bytes are kept.
    let limit: Int
    private var arrival: Arrival?
    private var isTaken = false
    /// What has come, but for the first ``dropped`` parts.
    private var parts: [Body.Part] = []
    private var dropped = 0
    private var size = 0
    private var isKept = true
    private var ending: Result<Void, TransportError>?
    private var isPulling = false
    /// Where each one is who waits or reads.
    private var positions: [Int: Int] = [:]
    private var lastID = 0
    private(set) var isAbandoned = false

    init(limit: Int) {
        self.limit = limit
    }

    // MARK: Who waits and reads

    /// Takes part from the start on.
    ///
    /// - Returns: a number to ask with; nil if it is too late.
    mutating func join() -> Int? {
        guard !isAbandoned, isKept, ending == nil else { return nil }
        switch arrival {
        case nil, .response(_, isWhole: false): break
        case .response, .alone, .failure: return nil
        }
        lastID += 1
        positions[lastID] = 0
        return lastID
    }

    /// Takes part no longer.
    ///
    /// - Returns: whether nobody is left for whom it should go on.
    mutating func leave(_ id: Int) -> Bool {
        guard positions.removeValue(forKey: id) != nil else { return false }
        dropParts()
        guard positions.isEmpty, !isAbandoned else { return false }
        isAbandoned = true
        return ending == nil
    }

    /// Whether there is no head yet.
    var hasNoHead: Bool { arrival == nil }

    /// Whether there is nothing to do for the reader with this number.
    func isWaiting(_ id: Int) -> Bool {
        guard let position = positions[id] else { return false }
        return position - dropped >= parts.count && ending == nil && isPulling
    }

    /// The head; nil as long as there is none.
    mutating func head() -> Head? {
        switch arrival {
        case nil: return nil
        case .failure(let error): return .failure(error)
        case .response(let response, let isWhole): return .response(response, isWhole: isWhole)
        case .alone(let response):
            defer { isTaken = true }
            return isTaken ? .askAgain : .alone(response)
        }
    }

    /// What the reader with this number has to do.
    mutating func next(for id: Int) -> Step {
        guard let position = positions[id] else { return .end(.success(())) }
        if position - dropped < parts.count {
            positions[id] = position + 1
            let part = parts[position - dropped]
            dropParts()
            return .take(part)
        }
        if let ending { return .end(ending) }
        if isPulling { return .wait }
        isPulling = true
        return .pull
    }

    // MARK: What comes

    mutating func arrive(_ arrival: Arrival) {
        self.arrival = arrival
        if case .response(_, isWhole: false) = arrival { return }
        ending = .success(())
    }

    /// The next part; nil at the end.
    ///
    /// - Returns: all parts, if that was the end and they are all there.
    mutating func receive(_ result: Result<Body.Part?, TransportError>) -> [Body.Part]? {
        isPulling = false
        switch result {
        case .success(let part?):
            parts.append(part)
            if case .bytes(let bytes, _) = part { size += bytes.count }
            if size > limit { isKept = false }
            dropParts()
            return nil
        case .success(nil):
            ending = .success(())
            return isKept ? parts : nil
        case .failure(let error):
            ending = .failure(error)
            return nil
        }
    }

    /// Lets go of what everyone has read, if it is not to be stored.
    private mutating func dropParts() {
        guard !isKept, let first = positions.values.min(), first > dropped else { return }
        parts.removeFirst(first - dropped)
        dropped = first
    }
}
