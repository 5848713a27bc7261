// SPDX-License-Identifier: Apache-2.0

#if canImport(ObjectiveC)
    internal import Foundation
    private import ObjectiveC
    private import RepriseLocking

    /// The configurations that code creates with `URLSessionConfiguration.default` and `.ephemeral`, and the tasks that
    /// it resumes.
    ///
    /// The methods are exchanged once and then stay, because another library may have exchanged them again. While no
    /// cassette is open, they do what they always did.
    enum NewConfigurations {
        private static let isOpen = Locked(false)
        private static let exchanged: Void = {
            for name in ["defaultSessionConfiguration", "ephemeralSessionConfiguration"] { exchangeGetter(name) }
            exchangeResume()
        }()

        /// Sets whether sessions with new configurations ask the cassettes before the network.
        static func askCassette(_ asks: Bool) {
            exchanged
            isOpen.withLock { $0 = asks }
        }

        /// Returns the code that resumed a task.
        static func caller(of task: URLSessionTask) -> SessionCaller {
            unsafe objc_getAssociatedObject(task, key) as? SessionCaller ?? .current
        }

        /// An address that nothing else uses as a key.
        private static var key: UnsafeRawPointer {
            unsafe UnsafeRawPointer(Unmanaged.passUnretained(SharedSessionProtocol.self as AnyObject).toOpaque())
        }

        private static func exchangeGetter(_ name: String) {
            typealias Getter = @convention(c) (AnyObject, Selector) -> AnyObject
            let selector = NSSelectorFromString(name)
            guard let method = unsafe class_getClassMethod(URLSessionConfiguration.self, selector) else { return }
            let original = unsafe unsafeBitCast(method_getImplementation(method), to: Getter.self)
            let replacement: @convention(block) (AnyObject) -> AnyObject = { type in
                let configuration = original(type, selector)
                if isOpen.withLock({ $0 }), let configuration = configuration as? URLSessionConfiguration {
                    let added: [AnyClass] = [SharedSessionProtocol.self]
                    configuration.protocolClasses = added + (configuration.protocolClasses ?? [])
                }
                return configuration
            }
            unsafe method_setImplementation(method, imp_implementationWithBlock(replacement))
        }

        private static func exchangeResume() {
            typealias Resume = @convention(c) (AnyObject, Selector) -> Void
            let selector = NSSelectorFromString("resume")
            // The class of a session's tasks is private.
            let task = URLSession.shared.dataTask(with: URLRequest(url: URL(fileURLWithPath: "/")))
            defer { task.cancel() }
            guard let method = unsafe class_getInstanceMethod(type(of: task), selector) else { return }
            let original = unsafe unsafeBitCast(method_getImplementation(method), to: Resume.self)
            let replacement: @convention(block) (AnyObject) -> Void = { task in
                if isOpen.withLock({ $0 }) {
                    unsafe objc_setAssociatedObject(task, key, SessionCaller.current, .OBJC_ASSOCIATION_RETAIN)
                }
                original(task, selector)
            }
            unsafe method_setImplementation(method, imp_implementationWithBlock(replacement))
        }
    }
#endif
