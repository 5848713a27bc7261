// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
public import RepriseRedaction
public import RepriseText

#if CommandLine
    internal import Yams
#endif

#if canImport(FoundationEssentials)
    private import FoundationEssentials
#else
    private import Foundation
#endif

/// The redaction rules and the ignored hosts in a `reprise.yaml`, which is in the folder of its cassettes or in a
/// folder above:
///
/// ```yaml
/// redact:
///   names:                      # of fields; compared word by word
///     - ssn                     # in header lines, queries, forms and JSON
///     - name: customer number
///       in: [query, json]
///       as: customer            # the marker is [redacted:customer~1]
///   paths:                      # of strings in JSON
///     - user.addresses[*].street
///   patterns:                   # of text anywhere that looks like a secret
///     - pattern: 'acme_[a-z0-9]{32}'
///       as: acme
///   environment:                # variables whose value is a secret; ignored if not set
///     - variable: ALICE_TOKEN
///       as: alice
/// allow:                        # what is not a secret
///   names: [session token]
///   values: [AKIAIOSFODNN7EXAMPLE]
/// ignore:                       # hosts whose requests the proxy neither counts nor records
///   - telemetry.example.com
/// ```
///
/// All of it is optional. ``Redaction/Rule`` describes the rules.
///
/// Only the nearest file applies. The search starts in the folder of the cassette and goes up to the root of the
/// project, which is the first folder that contains `.git` or `Package.swift`. Recording and checking search in the
/// same way.
public enum RedactionFile {
    /// The file's name.
    public static let name = "reprise.yaml"

    /// Returns the redaction for the fixtures in a folder. It applies the rules in the nearest `reprise.yaml`, if
    /// any, and the standard rules.
    ///
    /// - Parameters:
    ///   - folder: The folder of the fixtures, relative to the working directory unless it starts with a slash.
    ///   - rules: Rules from code, which take precedence over those in the file.
    /// - Throws: All mistakes in the file, or an error if a rule is invalid.
    public static func redaction(
        inFolder folder: String,
        rules: [Redaction.Rule] = []
    ) throws(FixtureProblems) -> Redaction {
        guard let (path, content) = try content(forFolder: folder) else { return try redaction(rules, file: name) }
        return try redaction(content.rules + rules, file: path)
    }

    /// Returns the hosts that the nearest `reprise.yaml` ignores.
    ///
    /// - Parameter path: The path of a cassette, of another file with fixtures, or of a folder with fixtures.
    package static func ignoredHosts(beside path: String) throws(FixtureProblems) -> [String] {
        try content(forFolder: folder(ofFixturesAt: path))?.content.ignoredHosts ?? []
    }

    /// Returns the redaction for the fixtures at several paths, of files and folders. It applies the rules in the
    /// nearest `reprise.yaml` of each, and the standard rules. With several files, what one redacts is not allowed by
    /// another.
    package static func redaction(ofFixturesAt paths: [String]) throws(FixtureProblems) -> Redaction {
        var files: [String] = []
        var rules: [Redaction.Rule] = []
        for path in paths {
            let folder = folder(ofFixturesAt: path)
            guard let file = self.path(forFolder: folder).map(FixtureFileReader.realPath), !files.contains(file),
                let content = try content(forFolder: folder)?.content
            else { continue }
            files.append(file)
            rules += content.rules
        }
        if files.count > 1 { rules = rules.filter(\.isAllowing) + rules.filter { !$0.isAllowing } }
        return try redaction(rules, file: files.joined(separator: ", "))
    }

    /// Returns the redaction for texts about the fixtures at several paths, such as reports of misses: that of
    /// ``redaction(ofFixturesAt:)``. Without the package trait that reads YAML, it has only the standard rules.
    package static func redactionOfTexts(aboutFixturesAt paths: [String]) throws(FixtureProblems) -> Redaction {
        #if CommandLine
            try redaction(ofFixturesAt: paths)
        #else
            .standard
        #endif
    }

    private static func folder(ofFixturesAt path: String) -> String {
        FixtureFileReader.item(at: path) == .folder ? path : folder(of: path)
    }

    private static func content(
        forFolder folder: String
    ) throws(FixtureProblems) -> (path: String, content: Content)? {
        guard let path = path(forFolder: folder) else { return nil }
        guard FixtureFileReader.item(at: path) == .file else {
            throw FixtureProblems([
                FixtureProblem(file: path, message: "expected a file, found a folder or a special file")
            ])
        }
        let bytes: [UInt8]
        do throws(FixtureFileReader.Failure) {
            bytes = try FixtureFileReader.bytes(of: path)
        } catch {
            throw FixtureProblems([FixtureProblem(file: path, message: error.description)])
        }
        return (path, try read(bytes, file: path))
    }

    /// Returns the redaction for a cassette, which is that of its folder.
    ///
    /// - Throws: The same errors as ``redaction(inFolder:rules:)``.
    public static func redaction(
        besideCassette path: String,
        rules: [Redaction.Rule] = []
    ) throws(FixtureProblems) -> Redaction {
        try redaction(inFolder: folder(of: path), rules: rules)
    }

    /// Returns the path of the nearest `reprise.yaml` for a folder, or `nil` if none was found.
    static func path(forFolder folder: String) -> String? {
        var folder = folder
        while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
        while true {
            let prefix = folder.isEmpty ? "" : folder == "/" ? "/" : folder + "/"
            if FixtureFileReader.item(at: prefix + name) != nil { return prefix + name }
            if [".git", "Package.swift"].contains(where: { FixtureFileReader.item(at: prefix + $0) != nil }) {
                return nil
            }
            if folder == "/" { return nil }
            // The parent folder is found by removing the last name of the path, so "." and ".." are resolved first.
            if ["", ".", ".."].contains(folder.split(separator: "/").last ?? "") {
                if !folder.hasPrefix("/") { folder = FileManager.default.currentDirectoryPath + "/" + folder }
                folder = URL(fileURLWithPath: folder).standardizedFileURL.path
            }
            folder = self.folder(of: folder)
        }
    }

    /// The folder of `path`, or an empty string for the working directory.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "" }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func redaction(_ rules: [Redaction.Rule], file: String) throws(FixtureProblems) -> Redaction {
        do throws(Redaction.RuleError) {
            return try Redaction(rules)
        } catch {
            throw FixtureProblems([FixtureProblem(file: file, message: error.description)])
        }
    }

    /// What is in a file.
    struct Content {
        var rules: [Redaction.Rule] = []
        var ignoredHosts: [String] = []
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - file: The file's name, for messages.
    ///   - environment: The variables that rules can name. The default is the environment of the process.
    /// - Throws: All mistakes in the file.
    static func read(
        _ bytes: [UInt8],
        file: String,
        environment: [String: String]? = nil
    ) throws(FixtureProblems) -> Content {
        guard bytes.count <= 1 << 20 else {
            throw FixtureProblems([FixtureProblem(file: file, message: "expected at most 1 MiB, found more")])
        }
        #if CommandLine
            let root: Node?
            do {
                root = try Yams.compose(yaml: String(decoding: bytes, as: UTF8.self))
            } catch {
                throw FixtureProblems([problem(error, file: file)])
            }
            var reading = RedactionFileReading(
                file: file,
                environment: environment ?? ProcessInfo.processInfo.environment
            )
            if let root { reading.read(root) }
            guard reading.problems.isEmpty else { throw FixtureProblems(reading.problems) }
            return reading.content
        #else
            // Its rules may name secrets, so it is not ignored.
            throw FixtureProblems([
                FixtureProblem(
                    file: file,
                    message: """
                        expected the package trait CommandLine, which reads YAML, found it disabled; add .defaults to the \
                        traits of the dependency on reprise
                        """
                )
            ])
        #endif
    }

    #if CommandLine
        private static func problem(_ error: any Error, file: String) -> FixtureProblem {
            let mark: Mark?
            let message: String
            switch error as? YamlError {
            case .scanner(_, let problem, let place, _)?, .parser(_, let problem, let place, _)?,
                .composer(_, let problem, let place, _)?:
                mark = place
                message = problem
            case .duplicatedKeysInMapping(let keys, let context)?:
                mark = context.mark
                message = "found the key \"\(clipped(keys.first ?? ""))\" twice"
            default:
                mark = nil
                message = clipped("\(error)", to: 200)
            }
            return FixtureProblem(
                file: file,
                location: mark.map { FilePosition(line: $0.line, column: $0.column) } ?? .start,
                message: "expected YAML: \(message)"
            )
        }
    #endif
}
