// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    private import Darwin
#elseif canImport(Musl)
    private import Musl
#else
    private import Glibc
#endif

/// What the system would not do with a file: what was asked, of which file, and why it was refused.
package struct FileError: Error, Sendable, Hashable {
    /// What was asked for, in a word: `open`, `write`.
    package let call: String
    /// The file or folder.
    package let path: String
    /// The error number (`errno`).
    package let code: Int32

    /// An error with a number from `errno`.
    package init(code: Int32, call: String, path: String) {
        self.code = code
        self.call = call
        self.path = path
    }

    /// The error of the call that just failed on this thread.
    static func last(_ call: String, _ path: String) -> FileError {
        FileError(code: errno, call: call, path: path)
    }

    /// Whether there is nothing at the path.
    package var isMissing: Bool { code == ENOENT }

    /// Whether something is there already.
    package var isPresent: Bool { code == EEXIST }

    /// Whether there is no room: on the disk, in the user's quota, or within the size that a file may have.
    package var isFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }

    /// Whether the user may not do this here.
    package var isForbidden: Bool { code == EACCES || code == EPERM || code == EROFS }

    /// Whether a folder stands where a file is wanted, or a file where a folder is.
    package var isOfWrongKind: Bool { code == EISDIR || code == ENOTDIR || code == ENOTEMPTY }
}

extension FileError: CustomStringConvertible {
    /// One line for a person: `write a.log: no space left on device`.
    package var description: String { "\(call) \(path): \(reason)" }

    /// Why, in the system's words, with a small first letter.
    package var reason: String {
        guard let text = unsafe strerror(code) else { return "unknown error \(code)" }
        let sentence = unsafe String(cString: text)
        guard let first = sentence.first, sentence.dropFirst().first?.isLowercase == true else { return sentence }
        return first.lowercased() + sentence.dropFirst()
    }
}
