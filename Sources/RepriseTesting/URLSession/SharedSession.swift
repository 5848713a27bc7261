// SPDX-License-Identifier: Apache-2.0

internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
    private import RepriseIO
    private import RepriseLocking
#endif

/// The protocol of the sessions that are not made for one cassette. Each request finds the cassette of its caller.
final class SharedSessionProtocol: CassetteURLProtocol {
    #if canImport(ObjectiveC)
        // The system creates a protocol on a thread of its own.
        override class func canInit(with task: URLSessionTask) -> Bool {
            guard let request = task.currentRequest, CassetteURLProtocol.canInit(with: request) else { return false }
            return NewConfigurations.caller(of: task).owner(of: request) != nil
        }

        private lazy var caller = task.map(NewConfigurations.caller) ?? .current
    #else
        /// Foundation creates a protocol where its task is resumed.
        private let caller = SessionCaller.current
    #endif

    override class func isResponsible(for request: URLRequest) -> Bool {
        SessionCaller.current.owner(of: request) != nil
    }

    override var owner: SessionOwner? { caller.owner(of: request) }
}

/// Makes the sessions of the process ask ``SharedSessionProtocol`` first.
enum SharedSession {
    #if canImport(FoundationNetworking)
        private static let state = Locked(State())

        private struct State {
            var cache: URLCache?
            /// The classes before the last change. Other threads may be reading them without a lock.
            var former: [AnyClass]?
        }

        /// On Linux, `URLProtocol.registerClass` has no effect on sessions, but the configuration of the shared session
        /// is not a copy.
        static func install() {
            // Otherwise, Foundation's libcurl would clean up OpenSSL at `exit` while other threads still use it.
            TLSContext.prepareProcess()
            let configuration = URLSession.shared.configuration
            state.withLock { state in
                state.former = configuration.protocolClasses
                // With a cache, the protocol is created on another thread, which cannot tell the caller's cassette.
                state.cache = configuration.urlCache
                configuration.urlCache = nil
                configuration.protocolClasses = [SharedSessionProtocol.self] + (state.former ?? [])
            }
        }

        static func uninstall() {
            let configuration = URLSession.shared.configuration
            state.withLock { state in
                state.former = configuration.protocolClasses
                configuration.protocolClasses = state.former?.filter { $0 != SharedSessionProtocol.self }
                configuration.urlCache = configuration.urlCache ?? state.cache
                state.cache = nil
            }
        }
    #else
        static func install() {
            _ = URLProtocol.registerClass(SharedSessionProtocol.self)
            NewConfigurations.askCassette(true)
        }

        static func uninstall() {
            URLProtocol.unregisterClass(SharedSessionProtocol.self)
            NewConfigurations.askCassette(false)
        }
    #endif
}
