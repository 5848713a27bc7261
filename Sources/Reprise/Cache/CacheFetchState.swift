// SPDX-License-Identifier: Apache-2.0

/// The state of a request that several callers wait for, and the position of each reader. It uses no locks and no
/// tasks.
///
/// First a head is received, or a failure. Then a reader that has read all received parts requests the next one. Only
/// one reader at a time does this, on behalf of all. Parts are kept for readers that join later, as long as the whole
/// body can be stored.
struct CacheFetchState {
    /// The outcome of the request.
    enum Arrival {
        /// A response for all callers. Its body is in memory, or is empty and is received as parts.
        case response(Response, isWhole: Bool)
        /// A response for one caller, because it must not be shared or is too large. Others send their own requests.
        case alone(Response)
        case failure(TransportError)
    }

    /// What a reader does next.
    enum Step {
        case take(Body.Part)
        case end(Result<Void, TransportError>)
        /// Request the next part, and then wait.
        case pull
        case wait
    }

    enum Head {
        /// A response that may be shared. Its body is read as parts unless it is whole.
        case response(Response, isWhole: Bool)
        case alone(Response)
        case askAgain
        case failure(TransportError)
    }

    let limit: Int
    private var arrival: Arrival?
    private var isTaken = false
    /// The received parts, without the first ``dropped`` ones.
    private var parts: [Body.Part] = []
    private var dropped = 0
    private var size = 0
    private var isKept = true
    private var ending: Result<Void, TransportError>?
    private var isPulling = false
    /// The position of each caller that waits or reads, by its number.
    private var positions: [Int: Int] = [:]
    private var lastID = 0
    private(set) var isAbandoned = false

    init(limit: Int) {
        self.limit = limit
    }

    // MARK: Callers and readers

    /// Adds a caller, which reads from the start.
    ///
    /// - Returns: The caller's number, or nil if it is too late to join.
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

    /// Removes a caller.
    ///
    /// - Returns: Whether this was the last caller, so that the request can be canceled.
    mutating func leave(_ id: Int) -> Bool {
        guard positions.removeValue(forKey: id) != nil else { return false }
        dropParts()
        guard positions.isEmpty, !isAbandoned else { return false }
        isAbandoned = true
        return ending == nil
    }

    /// Whether no head has been received yet.
    var hasNoHead: Bool { arrival == nil }

    func isWaiting(_ id: Int) -> Bool {
        guard let position = positions[id] else { return false }
        return position - dropped >= parts.count && ending == nil && isPulling
    }

    /// Returns the head, or nil if it has not been received yet.
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

    /// Returns what the reader with this number does next.
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

    // MARK: Receiving

    mutating func arrive(_ arrival: Arrival) {
        self.arrival = arrival
        if case .response(_, isWhole: false) = arrival { return }
        ending = .success(())
    }

    /// Records the next part, or nil at the end.
    ///
    /// - Returns: All parts, if this was the end and all of them were kept.
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

    /// Releases the parts that all readers have read, if the body will not be stored.
    private mutating func dropParts() {
        guard !isKept, let first = positions.values.min(), first > dropped else { return }
        parts.removeFirst(first - dropped)
        dropped = first
    }
}
