// SPDX-License-Identifier: Apache-2.0

/// The questions of a ``HostResolver`` and how many threads work on them.
///
/// A value without effects; the resolver keeps it under a lock.
struct ResolutionQueue: Sendable {
    /// Threads wait most of the time, for name servers that are slow or gone; one such name must not hold up others.
    static let threadLimit = 8

    /// Who waits for a name, from the question to the answer.
    private var waiting: [String: [ResolutionToken]] = [:]
    /// The names that no thread has taken yet.
    private var names: [String] = []
    private var threadCount = 0

    /// Adds a question; true if a thread has to be started for it.
    mutating func add(_ token: ResolutionToken, host: String) -> Bool {
        if waiting[host]?.append(token) != nil { return false }
        waiting[host] = [token]
        names.append(host)
        guard threadCount < Self.threadLimit else { return false }
        threadCount += 1
        return true
    }

    /// The next name for a thread; nil ends the thread.
    mutating func next() -> String? {
        while !names.isEmpty {
            let name = names.removeFirst()
            if waiting[name]?.contains(where: { !$0.isCancelled }) == true { return name }
            waiting[name] = nil
        }
        threadCount -= 1
        return nil
    }

    /// Who is to get the answer.
    mutating func finish(_ host: String) -> [ResolutionToken] {
        waiting.removeValue(forKey: host) ?? []
    }

    /// A thread could not be started. If it would have been the only one, nobody takes the questions any more.
    mutating func threadIsMissing() -> [(host: String, tokens: [ResolutionToken])] {
        threadCount -= 1
        guard threadCount == 0 else { return [] }
        defer { names = [] }
        return names.map { ($0, finish($0)) }
    }
}
