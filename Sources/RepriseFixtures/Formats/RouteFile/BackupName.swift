// SPDX-License-Identifier: Apache-2.0

private import RepriseText

/// The name of a backup, swap, lock, or temporary file, as written by editors, file managers, and version control. A
/// file with such a name is never served.
package struct BackupName: Hashable, Sendable {
    /// The name of the file that it belongs to.
    package var original: String
    /// What gives the name away, such as "ends in '~'".
    package var evidence: String

    /// Recognizes `name`, without its folder. Returns `nil` for any other name.
    package init?(_ name: String) {
        guard let found = Self.enclosed(name) ?? Self.tilde(name) ?? Self.suffixed(name) ?? Self.extended(name),
            !found.original.isEmpty
        else { return nil }
        self = found
    }

    /// Recognizes `name` as that of a copy of a fixture, as file managers and synchronized folders name it:
    /// `42.get.json 2`, `42.get copy.json`, `42.get (1).json`.
    init?(copy name: String) {
        var parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        for index in parts.indices.dropFirst().suffix(3) {
            guard let cut = Self.copyMark(in: parts[index]), cut > parts[index].startIndex else { continue }
            let word = parts[index][..<cut].lowercased()
            guard index == parts.count - 1 || word == "cassette" || RouteFileName.methods.contains(word) else {
                continue
            }
            evidence = "has '\(parts[index][cut...])' after '\(parts[index][..<cut])'"
            parts[index] = String(parts[index][..<cut])
            original = parts.joined(separator: ".")
            return
        }
        return nil
    }

    /// Whether either initializer can recognize `name`. Cheap, because it is asked for each file.
    static func isPossible(_ name: String) -> Bool {
        let bytes = name.utf8
        if bytes.contains(where: { $0 == 0x20 || $0 == 0x23 || $0 == 0x28 || $0 == 0x5F || $0 == 0x7E }) { return true }
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")) else { return false }
        let last = name[bytes.index(after: dot)...]
        return last.utf8.isDigits || extensions.contains(last.lowercased())
    }

    private init(_ original: some StringProtocol, _ evidence: String) {
        self.original = String(original)
        self.evidence = evidence
    }

    /// Returns the start of the text that a copy has in addition. Git's merge tool writes `_BACKUP_` and a number.
    private static func copyMark(in part: String) -> String.Index? {
        if let mark = part.firstIndex(where: { $0 == " " || $0 == "(" }) { return mark }
        return ["_BACKUP_", "_BASE_", "_LOCAL_", "_REMOTE_"].lazy.compactMap { part.firstRange(of: $0)?.lowerBound }
            .first
    }

    /// The names of Emacs's auto-save files (`#x#`) and links (`.#x`), and of the locks of LibreOffice (`.~lock.x#`)
    /// and Microsoft Office (`~$x`).
    private static func enclosed(_ name: String) -> BackupName? {
        for (start, end) in [("#", "#"), (".#", ""), (".~lock.", "#"), ("~$", "")]
        where name.hasPrefix(start) && name.hasSuffix(end) && name.utf8.count > start.utf8.count + end.utf8.count {
            let evidence = end.isEmpty ? "starts with '\(start)'" : "starts with '\(start)' and ends in '\(end)'"
            return BackupName(name.dropFirst(start.count).dropLast(end.count), evidence)
        }
        return nil
    }

    /// The names of the backups of Vim, Emacs, nano, gedit, and Kate: `x~`, Emacs's numbered `x.~1~`, and Vim's undo
    /// files, `x.un~`.
    private static func tilde(_ name: String) -> BackupName? {
        guard name.hasSuffix("~") else { return nil }
        var original = name.dropLast()
        if let dot = original.lastIndex(of: ".") {
            let last = original[original.index(after: dot)...]
            let isNumbered = last.hasPrefix("~") && last.dropFirst().utf8.isDigits
            if isNumbered || last == "un" { original = original[..<dot] }
        }
        return BackupName(original, "ends in '~'")
    }

    /// The names of the files that the editors of JetBrains write while they save.
    private static func suffixed(_ name: String) -> BackupName? {
        for suffix in ["___jb_tmp___", "___jb_old___", "___jb_bak___"] where name.hasSuffix(suffix) {
            return BackupName(name.dropLast(suffix.count), "ends in '\(suffix)'")
        }
        return nil
    }

    /// The names with an extension of ``extensions``, and possibly a number: `x.bak`, nano's `x.save.1`.
    private static func extended(_ name: String) -> BackupName? {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        let last = name[name.index(after: dot)...]
        if extensions.contains(last.lowercased()) { return BackupName(name[..<dot], "ends in '.\(last)'") }
        guard last.utf8.isDigits, let earlier = name[..<dot].lastIndex(of: ".") else { return nil }
        let kind = name[name.index(after: earlier)..<dot]
        return extensions.contains(kind.lowercased())
            ? BackupName(name[..<earlier], "ends in '\(name[earlier...])'") : nil
    }

    /// The extensions of backups, of Vim's and Kate's swap files, of what `patch` and merges leave behind, of nano's
    /// emergency files, of Visual Studio Code's temporary files, and of unfinished downloads.
    private static let extensions: Set<String> = [
        "bak", "backup", "old", "orig", "rej", "save", "swp", "swo", "swn", "swm", "swx", "kate-swp", "lck", "tmp",
        "temp", "vsctmp", "part", "partial", "crdownload", "download",
    ]
}
