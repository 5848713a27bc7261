// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The parsed name of a route file: `<path>/<name>.<method>[.<status>].<extension>`, below the fixture folder.
///
/// - `users/42.get.json` answers `GET /users/42` with 200, and `users/index.post.201.json` answers `POST /users` with
///   201.
/// - A folder or name that consists of `{word}` matches any one segment: `users/{id}.get.json`.
/// - `index` stands for the folder itself, or for `/` at the top level.
/// - The method is one of ``methods``, in any case. Only the parts after the name have a meaning: `v1.2.get.json` is
///   `/v1.2`, and `get.get.json` is `/get`.
/// - The extension is optional: `health.get.204`, `health.get`.
/// - A segment is the bytes of its name, percent-encoded if a URL requires it: `a b.get.txt` is `/a%20b`, and
///   `100%.get.txt` is `/100%25`. As a result, no file name can represent a path with an escaped slash.
///
/// A name without one of these methods is the name of a body file, such as `report.final.json`.
struct RouteFileName: Hashable {
    /// The method in uppercase.
    var method: String
    /// The path, as percent-encoded segments that each follow a slash. A template segment is `{word}`.
    var path: String
    /// The status in the name, 200 to 999, or 200 if the name has none. A 1xx status is an interim response (RFC 9110
    /// section 15.2) and is not valid here.
    var status: Int
    /// The part after the last dot, in lowercase. Empty if the name ends with the method or the status.
    var fileExtension: String

    /// A text that is equal for equal routes: the method and the path, without the names of parameters.
    var key: String {
        guard path.utf8.contains(UInt8(ascii: "{")) else { return "\(method) \(path)" }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        return "\(method) \(segments.map { $0.hasPrefix("{") ? "{}" : $0 }.joined(separator: "/"))"
    }

    /// The methods that a name can contain: those of RFC 9110, PATCH (RFC 5789) and QUERY.
    static let methods: Set<String> = [
        "get", "head", "post", "put", "patch", "delete", "options", "trace", "connect", "query",
    ]

    /// The kind of a file according to its name.
    enum Reading: Hashable {
        /// A route file.
        case route(RouteFileName)
        /// A file that other fixtures can name and that is never served by itself. `suspect` is the reason why its
        /// name may have been meant as that of a route file.
        case bodyFile(suspect: NearName? = nil)
        /// A file meant as a route file whose name is invalid. The text describes what was expected and found.
        case problem(String)
    }

    /// Parses `relativePath`, whose components are separated by slashes.
    static func parse(_ relativePath: String) -> Reading {
        var folders = relativePath.split(separator: "/")
        guard let file = folders.popLast() else { return .bodyFile() }
        let parts = file.split(separator: ".", omittingEmptySubsequences: false)
        guard let split = Split(parts) else { return .bodyFile(suspect: suspect(in: parts)) }

        var status = 200
        if let text = split.status {
            guard text.utf8.count == 3, let number = Int(text), number >= 200 else {
                return .problem("expected a status from 200 to 999 in the file name, found '\(text)'")
            }
            status = number
        }
        var segments = folders
        let name = file.prefix(upTo: split.nameEnd)
        if name != "index" { segments.append(name) }
        var path = ""
        for segment in segments {
            guard let encoded = encode(segment) else {
                return .problem(
                    "expected a template segment such as {id}, with nothing outside the braces, found '\(segment)'"
                )
            }
            path += "/" + encoded
        }
        return .route(
            RouteFileName(
                method: split.method.uppercased(),
                path: path.isEmpty ? "/" : path,
                status: status,
                fileExtension: split.fileExtension.lowercased()
            )
        )
    }
}

extension RouteFileName {
    /// The positions of the method, the status and the extension in a file name.
    private struct Split {
        var nameEnd: String.Index
        var method: Substring
        var status: Substring?
        var fileExtension: Substring

        /// Returns `nil` if `parts`, the name split at its dots, have no method in a valid position or nothing before
        /// it.
        init?(_ parts: [Substring]) {
            func isMethod(_ index: Int) -> Bool {
                index > 0 && RouteFileName.methods.contains(parts[index].lowercased())
            }
            let last = parts.count - 1
            let index: Int
            if isMethod(last - 1) {
                index = last - 1
                if parts[last].utf8.isDigits {
                    (status, fileExtension) = (parts[last], "")
                } else {
                    (status, fileExtension) = (nil, parts[last])
                }
            } else if isMethod(last - 2), parts[last - 1].utf8.isDigits {
                index = last - 2
                (status, fileExtension) = (parts[last - 1], parts[last])
            } else if isMethod(last) {
                index = last
                (status, fileExtension) = (nil, "")
            } else {
                return nil
            }
            method = parts[index]
            nameEnd = parts[index - 1].endIndex
            guard parts[..<index].contains(where: { !$0.isEmpty }) else { return nil }
        }
    }

    /// Returns a method in a position where it has no meaning. Otherwise, returns a part that is in the position of a
    /// method and looks like a misspelled one: two neighboring letters are swapped, one is missing, or there is an
    /// extra one.
    private static func suspect(in parts: [Substring]) -> NearName? {
        if let index = parts.firstIndex(where: { methods.contains($0.lowercased()) }), parts.count > 1 {
            let method = String(parts[index])
            if parts[..<index].contains(where: { !$0.isEmpty }) { return .misplacedMethod(method) }
            return index == 0 && parts.count <= 3 ? .bareMethod(method) : nil
        }
        guard parts.count > 2 else { return nil }
        for part in [parts[parts.count - 2], parts[max(parts.count - 3, 1)]] {
            let word = Array(part.lowercased().utf8)
            for method in methods.sorted() where isTypo(word, of: Array(method.utf8)) {
                return .misspelledMethod(found: String(part), method: method)
            }
        }
        return nil
    }

    private static func isTypo(_ word: [UInt8], of method: [UInt8]) -> Bool {
        guard word.count > 2, abs(word.count - method.count) <= 1 else { return false }
        let same = zip(word, method).prefix { $0 == $1 }.count
        let (rest, expected) = (word[same...], method[same...])
        if rest.count == expected.count {
            guard rest.count > 1 else { return false }
            let swapped = [rest[same + 1], rest[same]] + rest.dropFirst(2)
            return swapped == Array(expected)
        }
        return rest.count > expected.count ? rest.dropFirst() == expected : rest == expected.dropFirst()
    }

    /// Returns the segment as written in a path, or `nil` if it contains a brace but is not a template.
    private static func encode(_ segment: Substring) -> String? {
        guard !segment.utf8.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) else {
            let word = segment.utf8.dropFirst().dropLast()
            let isTemplate =
                segment.utf8.first == UInt8(ascii: "{") && segment.utf8.last == UInt8(ascii: "}") && !word.isEmpty
                && word.allSatisfy { ByteSet.word.contains($0) || $0 == UInt8(ascii: "-") }
            return isTemplate ? String(segment) : nil
        }
        return PercentEscape.encoded(String(segment), except: .pathSegment)
    }
}
