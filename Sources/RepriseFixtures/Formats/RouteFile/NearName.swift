// SPDX-License-Identifier: Apache-2.0

/// The reason why the name of an unserved file may have been meant as a fixture's name.
enum NearName: Hashable {
    /// A part of the name looks like a misspelled method.
    case misspelledMethod(found: String, method: String)
    /// The name has a method, but too many parts follow it: `app.get.min.js`. Only a status and one extension can
    /// follow.
    case misplacedMethod(String)
    /// The name is a method without a name before it: `users/get.json`.
    case bareMethod(String)
    /// A cassette in another format or with another extension: `chat.cassette.yaml`.
    case cassette
    /// A HAR file with another extension: `shop.har.json`.
    case harFile
    /// A backup, swap, lock, or temporary file, or a copy: `users.get.json~`.
    case backup(BackupName)

    /// Finds the near miss in `name`, in lowercase, if the name suggests recorded exchanges.
    init?(recording name: String) {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, let last = parts.last else { return nil }
        let kind = parts.count > 2 ? parts[parts.count - 2] : ""
        if last == "cassette" || kind == "cassette" {
            self = .cassette
        } else if kind == "har" {
            self = .harFile
        } else {
            return nil
        }
    }

    /// Returns what to do with a file that would be a route file if its name had a method: `users.json`. Returns `nil`
    /// for other kinds of files, such as a README.
    static func missingMethod(inName path: String) -> String? {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
            ["json", "xml", "html", "ndjson", "sse"].contains(name[dot...].dropFirst().lowercased())
        else { return nil }
        let renamed = "\(name[..<dot]).get\(name[dot...])"
        return "to serve '\(name)' as a route, put a method into its name, as in '\(renamed)'"
    }

    /// The reason and what to do. Messages put it after "not served, because".
    var reason: String {
        switch self {
        case .misspelledMethod(let found, let method):
            "'\(found)' is not a method; if it means '\(method)', rename the file"
        case .misplacedMethod(let method):
            "more than a status and one extension follows '\(method)'; if this is a route, move '\(method)' "
                + "to the end, as in app.min.get.js"
        case .bareMethod(let method):
            "there is no name before '\(method)'; if this is the route of the folder itself, put 'index.' before it"
        case .cassette: "the name of a cassette ends in .cassette.json"
        case .harFile: "the name of a HAR file ends in .har"
        case .backup(let name):
            "a name that \(name.evidence) belongs to a backup or temporary file; to serve it, rename it to "
                + "'\(name.original)'"
        }
    }
}
