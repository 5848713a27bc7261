// SPDX-License-Identifier: Apache-2.0

#if canImport(ObjectiveC)
    internal import Foundation
    private import ObjectiveC
    private import RepriseLocking

    /// The configurations that code creates with `URLSessionConfiguration.default` and `.ephemeral`.
    enum NewConfigurations {
        private static let state = Locked(State())

        private struct State {
            var addedProtocol: CassetteURLProtocol.Type?
            var isExchanged = false
        }

        /// Adds a protocol to each new configuration, before all others, until this is called with nil.
        ///
        /// The getters are exchanged once and then stay, because another library may have exchanged them again. Without
        /// a protocol they return what they always did.
        static func setProtocol(_ type: CassetteURLProtocol.Type?) {
            state.withLock { state in
                state.addedProtocol = type
                guard !state.isExchanged else { return }
                state.isExchanged = true
                for name in ["defaultSessionConfiguration", "ephemeralSessionConfiguration"] { exchange(name) }
            }
        }

        private static func exchange(_ name: String) {
            typealias Getter = @convention(c) (AnyClass, Selector) -> URLSessionConfiguration
            let selector = NSSelectorFromString(name)
            guard let method = unsafe class_getClassMethod(URLSessionConfiguration.self, selector) else { return }
            let original = unsafe unsafeBitCast(method_getImplementation(method), to: Getter.self)
            let replacement: @convention(block) (AnyClass) -> URLSessionConfiguration = { type in
                let configuration = original(type, selector)
                // A configuration that a test's own task creates belongs to the test's cassette from then on.
                let own = TestCassette.current.map(\.sessionClass)
                if let added = own ?? state.withLock({ $0.addedProtocol }) {
                    configuration.protocolClasses = [added] + (configuration.protocolClasses ?? [])
                }
                return configuration
            }
            unsafe method_setImplementation(method, imp_implementationWithBlock(replacement))
        }
    }
#endif
