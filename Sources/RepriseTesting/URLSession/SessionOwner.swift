// SPDX-License-Identifier: Apache-2.0

#if canImport(Testing)
    private import Testing
#endif

/// The cassette that answers a request of a URL session.
enum SessionOwner: Sendable {
    case cassette(TestCassette)
    /// The cassette at this path, whose test has ended.
    case ended(path: String)
    /// One of several cassettes, at these paths. The request comes from a callback or a detached task.
    case unknown(paths: [String])

    /// The owner of a request that this task sends in the shared session; nil if no cassette answers it.
    static var ofCaller: SessionOwner? {
        if let cassette = TestCassette.current { return .cassette(cassette) }
        #if canImport(Testing)
            // Another test, without a cassette, runs at the same time.
            if Test.current != nil { return nil }
        #endif
        let open = SessionCassettes.innermost
        switch open.count {
        case 0: return nil
        case 1: return .cassette(open[0])
        default: return .unknown(paths: open.map(\.path).sorted())
        }
    }
}
