// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// The event loop that the calling thread belongs to, kept in thread-specific storage.
enum CurrentLoop {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let code = unsafe pthread_key_create(&key, nil)
        precondition(code == 0, "cannot allocate thread-specific storage")
        return key
    }()

    static func isCurrent(_ loop: EventLoop) -> Bool {
        unsafe pthread_getspecific(key) == UnsafeMutableRawPointer(Unmanaged.passUnretained(loop).toOpaque())
    }

    static func with(_ loop: EventLoop, _ body: () -> Void) {
        let previous = unsafe pthread_getspecific(key)
        unsafe pthread_setspecific(key, Unmanaged.passUnretained(loop).toOpaque())
        body()
        unsafe pthread_setspecific(key, previous)
    }
}
