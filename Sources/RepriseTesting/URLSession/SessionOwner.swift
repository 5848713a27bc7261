// SPDX-License-Identifier: Apache-2.0

internal import Foundation
private import Reprise

#if canImport(Testing)
    private import Testing
#endif

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The cassette that answers a request of a URL session.
enum SessionOwner: Sendable {
    case cassette(TestCassette)
    /// The cassette at this path, whose test has ended.
    case ended(path: String)
    /// Perhaps one of the cassettes at these paths. The request comes from a callback or a detached task.
    case unknown(paths: [String])

    /// The owner of a request without a test. It may come from any of the tests that run now.
    ///
    /// - Parameter open: The open cassettes, without those that another one replaces.
    /// - Returns: Nil if no cassette answers it. As with `NetworkGuard`, requests to this machine are not affected.
    static func ofStray(_ request: URLRequest, open: [TestCassette]) -> SessionOwner? {
        guard !open.isEmpty, (try? HTTPRequest(request))?.staysOnThisMachine != true else { return nil }
        guard open.count == 1, open[0].mayAnswerStrays else { return .unknown(paths: open.map(\.path).sorted()) }
        return .cassette(open[0])
    }
}

extension TestCassette {
    /// Whether the cassette may answer a request that may belong to another test. It must not be recorded.
    fileprivate var mayAnswerStrays: Bool { isStrict || mode == .live || !test.runsInParallel }
}

/// The code that sends a request in a session which is not made for one cassette.
struct SessionCaller: Sendable {
    private let cassette: TestCassette?
    private let isTest: Bool
    private let open = SessionCassettes.innermost

    /// The code that runs in this task.
    static var current: SessionCaller {
        #if canImport(Testing)
            SessionCaller(cassette: .current, isTest: Test.current != nil)
        #else
            SessionCaller(cassette: .current, isTest: false)
        #endif
    }

    func owner(of request: URLRequest) -> SessionOwner? {
        if let cassette { return .cassette(cassette) }
        // A test without a cassette runs at the same time.
        return isTest ? nil : .ofStray(request, open: open)
    }
}
