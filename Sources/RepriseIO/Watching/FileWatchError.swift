// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// The reason that a file or folder cannot be watched.
public struct FileWatchError: Error, Hashable, CustomStringConvertible {
    /// The failed system call.
    public let cause: SystemError
    /// The file or folder; nil if nothing can be watched.
    public let path: String?

    /// Creates an error with its cause.
    public init(cause: SystemError, path: String?) {
        self.cause = cause
        self.path = path
    }

    /// What was expected and found, and what to do about it.
    public var description: String {
        let subject = path.map { "cannot watch \($0)" } ?? "cannot watch files"
        switch cause.code {
        case ENOSPC where cause.call == "inotify_add_watch":
            return """
                \(subject): expected room for another watched folder, found that this user's programs watch as many as \
                the system allows; raise the limit: sudo sysctl fs.inotify.max_user_watches=524288
                """
        case EMFILE where cause.call == "inotify_init1":
            return """
                \(subject): expected room for another program that watches files, found that this user runs as many as \
                the system allows; raise the limit: sudo sysctl fs.inotify.max_user_instances=1024
                """
        case EMFILE, ENFILE:
            return """
                \(subject): expected a free file descriptor, found none; raise the limit with ulimit -n, or watch fewer \
                files
                """
        default: return "\(subject): \(cause)"
        }
    }
}
