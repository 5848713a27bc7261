// SPDX-License-Identifier: Apache-2.0

/// The pending lookups of a ``HostResolver`` and the number of threads working on them.
///
/// This value has no side effects. The resolver keeps it under a lock.
struct ResolutionQueue: Sendable {
    /// The maximum number of threads. They spend most of their time waiting for name servers, and one slow server
    /// must not delay lookups of other names.
    static let threadLimit = 8

    /// The tokens that wait for each name, from the request to the answer.
    private var waiting: [String: [ResolutionToken]] = [:]
    /// The names that no thread has taken yet.
    private var names: [String] = []
    private var threadCount = 0

    /// Adds a lookup. Returns true if the caller has to start a thread for it.
    mutating func add(_ token: ResolutionToken, host: String) -> Bool {
        if waiting[host]?.append(token) != nil { return false }
        waiting[host] = [token]
        names.append(host)
        guard threadCount < Self.threadLimit else { return false }
        threadCount += 1
        return true
    }

    /// Returns the next name for a thread, or nil if the thread should end.
    mutating func next() -> String? {
        while !names.isEmpty {
            let name = names.removeFirst()
            if waiting[name]?.contains(where: { !$0.isCancelled }) == true { return name }
            waiting[name] = nil
        }
        threadCount -= 1
        return nil
    }

    mutating func finish(_ host: String) -> [ResolutionToken] {
        waiting.removeValue(forKey: host) ?? []
    }

    /// Records that a thread could not be started. If no other thread is running, returns all waiting lookups,
    /// because no thread will take them.
    mutating func threadFailedToStart() -> [(host: String, tokens: [ResolutionToken])] {
        threadCount -= 1
        guard threadCount == 0 else { return [] }
        defer { names = [] }
        return names.map { ($0, finish($0)) }
    }
}
