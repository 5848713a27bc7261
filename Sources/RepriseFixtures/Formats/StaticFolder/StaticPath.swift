// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The names of folders and a file that the path of a request stands for, below a folder whose files are served as they
/// are.
struct StaticPath: Hashable {
    /// The decoded names.
    var names: [String]
    /// Whether the path ends with a slash, and so stands for the folder.
    var isFolder: Bool

    /// Parses a path as sent. Returns `nil` for a path that no file answers: one with an empty or relative segment, an
    /// escaped slash, a name that is not UTF-8, or the name of a hidden file or a backup.
    init?(_ path: Span<UInt8>) {
        names = []
        isFolder = true
        var end = path.count > 0 && path[0] == UInt8(ascii: "/") ? 0 : path.count
        guard end < path.count || path.count == 0 else { return nil }
        while end < path.count {
            let start = end + 1
            end = start
            while end < path.count, path[end] != UInt8(ascii: "/") { end += 1 }
            isFolder = start == end
            if isFolder {
                guard end == path.count else { return nil }
                return
            }
            let decoded = PercentEscape.decoded(path.extracting(start..<end))
            let name = String(decoding: decoded, as: UTF8.self)
            guard name.utf8.elementsEqual(decoded), Self.isServed(name) else { return nil }
            names.append(name)
        }
    }

    /// Whether a file or folder with this name can be served. `.well-known` is not hidden (RFC 8615): links between
    /// apps and sites need it.
    static func isServed(_ name: String) -> Bool {
        // Compared as bytes: a dot and a combining mark are one character, but the file is hidden.
        guard name.utf8.first != UInt8(ascii: ".") || name.utf8.elementsEqual(".well-known".utf8) else { return false }
        return !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 } && BackupName(name) == nil
    }
}
