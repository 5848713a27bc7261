// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    private import Darwin
#elseif canImport(Musl)
    private import Musl
#else
    private import Glibc
#endif

/// A failed file operation: the system call, the file, and the reason.
package struct FileError: Error, Sendable, Hashable {
    /// The name of the system call: `open`, `write`.
    package let call: String
    /// The path of the file or folder.
    package let path: String
    /// The error number (`errno`).
    package let code: Int32

    /// Creates an error from a value of `errno`.
    package init(code: Int32, call: String, path: String) {
        self.code = code
        self.call = call
        self.path = path
    }

    /// Returns the error of the last failed call on this thread.
    static func last(_ call: String, _ path: String) -> FileError {
        FileError(code: errno, call: call, path: path)
    }

    /// Whether the file or folder does not exist.
    package var isMissing: Bool { code == ENOENT }

    /// Whether the file or folder already exists.
    package var isPresent: Bool { code == EEXIST }

    /// Whether a limit was reached: the disk is full, the user's quota is exceeded, or the file is too large.
    package var isFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }

    /// Whether the user lacks permission, or the file system is read-only.
    package var isForbidden: Bool { code == EACCES || code == EPERM || code == EROFS }

    /// Whether a file was expected and a folder found, or the reverse, or the folder is not empty.
    package var isOfWrongKind: Bool { code == EISDIR || code == ENOTDIR || code == ENOTEMPTY }

    /// Whether a name is longer than the file system accepts.
    package var isNameTooLong: Bool { code == ENAMETOOLONG }
}

extension FileError: CustomStringConvertible {
    /// A one-line description: `write a.log: no space left on device`.
    package var description: String { "\(call) \(path): \(reason)" }

    /// The system's description of the error, starting with a lowercase letter.
    package var reason: String {
        guard let text = unsafe strerror(code) else { return "unknown error \(code)" }
        let sentence = unsafe String(cString: text)
        guard let first = sentence.first, sentence.dropFirst().first?.isLowercase == true else { return sentence }
        return first.lowercased() + sentence.dropFirst()
    }
}
