// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseText
internal import RepriseWire

/// The loops' access to the admin API.
///
/// The API refers to the loops, so the server closes the gate when it is released, which breaks the cycle.
final class AdminGate: Sendable {
    let access: AdminAccess
    /// The answers that take as long as their clients want: event streams, and requests that wait for others. Clients
    /// that open many of them hold up neither memory nor the loops.
    let endless: MemoryBudget
    /// The memory for large answers that clients have not read yet.
    let answers = MemoryBudget(limit: 256 << 20)
    private let api = Locked<AdminAPI?>(nil)

    init(_ configuration: MockServer.Configuration, endlessAnswers: Int = 1000) {
        endless = MemoryBudget(limit: endlessAnswers)
        access = AdminAccess(configuration.admin, isSecure: configuration.tls != nil)
    }

    /// The API; nil before the server has started, and after it was released.
    var current: AdminAPI? { api.withLock { $0 } }

    func open(_ api: AdminAPI) {
        self.api.withLock { $0 = api }
    }

    func close() {
        api.withLock { $0 = nil }
    }

    /// Takes the place of an answer without an end, until the result is released.
    func takePlace() throws(AdminFailure) -> MemoryBudget.Share {
        let (place, limit) = (MemoryBudget.Share(of: endless), endless.limit)
        if place.grow(to: 1) { return place }
        throw .overloaded(
            "expected at most \(limit) event streams and waiting requests at a time, found more; close some of them"
        )
    }

    /// The path of the admin API, which its endpoints begin with.
    static let path = Array("/__admin".utf8)

    /// Whether a request goes to the admin API. For most other requests, this compares only two bytes.
    static func isTarget(_ bytes: Span<UInt8>, _ head: RequestHead) -> Bool {
        let start = head.path.lowerBound
        guard head.path.count >= path.count, bytes[start + 1] == UInt8(ascii: "_"),
            bytes[start + 2] == UInt8(ascii: "_")
        else { return false }
        for (offset, byte) in path.enumerated() where bytes[start + offset] != byte { return false }
        return head.path.count == path.count || bytes[start + path.count] == UInt8(ascii: "/")
    }
}
