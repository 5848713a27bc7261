// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// What the name of a route file says: `<path>/<name>.<method>[.<status>].<extension>`, below the fixture folder.
///
/// - `users/42.get.json` answers `GET /users/42` with 200, `users/index.post.201.json` `POST /users` with 201.
/// - A folder or name that is `{word}` as a whole stands for any one segment: `users/{id}.get.json`.
/// - `index` stands for the folder itself; at the top for `/`.
/// - The method is any of ``methods``, in any case. Only the parts after the name have a meaning: `v1.2.get.json` is
///   `/v1.2`, and `get.get.json` is `/get`.
/// - The extension may be left out: `health.get.204`, `health.get`.
/// - A segment is the bytes of its name, percent-encoded where a URL needs it: `a b.get.txt` is `/a%20b`, and
///   `100%.get.txt` is `/100%25`. So no file name stands for a path with an escaped slash.
///
/// A name whose method is none of these is that of a body file, such as `report.final.json`.
struct RouteFileName: Hashable {
    /// The method in upper case.
    var method: String
    /// The path: percent-encoded segments, each after a slash, of which a template one is `{word}`.
    var path: String
    /// The status that the name asks for, 200 to 999: a 1xx announces an answer and is none (RFC 9110 section 15.2).
    var status: Int
    /// What follows the last dot, in lower case; empty where the name ends with the method or the status.
    var fileExtension: String

    /// The methods that a name may hold: those of RFC 9110, PATCH (RFC 5789) and QUERY.
    static let methods: Set<String> = [
        "get", "head", "post", "put", "patch", "delete", "options", "trace", "connect", "query",
    ]

    /// What a file is by its name.
    enum Reading: Hashable {
        /// A route file.
        case route(RouteFileName)
        /// A file that others may name, never served by itself. `suspect` tells why its name may have been meant as
        /// that of a route file.
        case bodyFile(suspect: NearName? = nil)
        /// Meant as a route file, but wrong: what was expected and what was found.
        case problem(String)
    }

    /// Reads `relativePath`, whose components are separated by slashes.
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
                    "expected a template segment such as {id}, a word in braces and nothing beside it, found '\(segment)'"
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
    /// Where in a file name the method, the status and the extension are.
    private struct Split {
        var nameEnd: String.Index
        var method: Substring
        var status: Substring?
        var fileExtension: Substring

        /// Fails where `parts`, the name between its dots, hold no method in a place for one, or nothing before it.
        init?(_ parts: [Substring]) {
            func isMethod(_ index: Int) -> Bool {
                index > 0 && RouteFileName.methods.contains(parts[index].lowercased())
            }
            let last = parts.count - 1
            let index: Int
            if isMethod(last - 1) {
                index = last - 1
                if Self.isNumber(parts[last]) {
                    (status, fileExtension) = (parts[last], "")
                } else {
                    (status, fileExtension) = (nil, parts[last])
                }
            } else if isMethod(last - 2), Self.isNumber(parts[last - 1]) {
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

        private static func isNumber(_ text: Substring) -> Bool {
            !text.isEmpty && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
        }
    }

    /// A method where none has a meaning, or a part of a name where one could stand, with two neighbouring letters
    /// exchanged, one missing or one too many.
    private static func suspect(in parts: [Substring]) -> NearName? {
        if let index = parts.firstIndex(where: { methods.contains($0.lowercased()) }), parts.count > 1 {
            let method = String(parts[index])
            if parts[..<index].contains(where: { !$0.isEmpty }) { return .misplacedMethod(method) }
            return index == 0 && parts.count <= 3 ? .bareMethod(method) : nil
        }
        guard parts.count > 2 else { return nil }
        for part in [parts[parts.count - 2], parts[max(parts.count - 3, 1)]] {
            let word = Array(part.lowercased().utf8)
            for method in methods.sorted() where isSlip(word, of: Array(method.utf8)) {
                return .misspeltMethod(found: String(part), method: method)
            }
        }
        return nil
    }

    private static func isSlip(_ word: [UInt8], of method: [UInt8]) -> Bool {
        guard word.count > 2, abs(word.count - method.count) <= 1 else { return false }
        let same = zip(word, method).prefix { $0 == $1 }.count
        let (rest, expected) = (word[same...], method[same...])
        if rest.count == expected.count {
            guard rest.count > 1 else { return false }
            let exchanged = [rest[same + 1], rest[same]] + rest.dropFirst(2)
            return exchanged == Array(expected)
        }
        return rest.count > expected.count ? rest.dropFirst() == expected : rest == expected.dropFirst()
    }

    /// The segment as it stands in a path, or `nil` where it has a brace but is no template.
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
