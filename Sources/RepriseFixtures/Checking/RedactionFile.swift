// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
public import RepriseRedaction
public import RepriseText
internal import Yams

#if canImport(FoundationEssentials)
    private import FoundationEssentials
#else
    private import Foundation
#endif

/// The rules in a `reprise.yaml`, which lies beside the cassettes that they are for, or in a folder above:
///
/// ```yaml
/// redact:
///   names:                      # of fields, compared word by word
///     - ssn                     # in header lines, queries, forms and JSON
///     - name: customer number
///       in: [query, json]
///       as: customer            # the marker is [redacted:customer]
///   paths:                      # of strings in JSON
///     - user.addresses[*].street
///   patterns:                   # of what looks like a secret, anywhere
///     - pattern: 'acme_[a-z0-9]{32}'
///       as: acme
///   environment:                # variables whose value is a secret, if they are set
///     - variable: ALICE_TOKEN
///       as: alice
/// allow:                        # what is no secret
///   names: [session token]
///   values: [AKIAIOSFODNN7EXAMPLE]
/// ```
///
/// All of it is optional. The rules are those of ``Redaction/Rule``.
///
/// The nearest one counts, and no other. It is looked for in the folder of the cassette and then upwards, as far as the root
/// of the project: a folder that holds `.git` or `Package.swift` is the last. Recording and checking look in the same way.
public enum RedactionFile {
    /// What it is called.
    public static let name = "reprise.yaml"

    /// The redaction for the fixtures in a folder: by the rules in the nearest `reprise.yaml`, if there is one, and the
    /// documented ones.
    ///
    /// - Parameters:
    ///   - folder: where the fixtures lie; relative to the working directory if it does not start with a slash.
    ///   - rules: rules from code, which count before those in the file.
    /// - Throws: All that is wrong in the file, or a rule that is none.
    public static func redaction(
        inFolder folder: String,
        rules: [Redaction.Rule] = []
    ) throws(FixtureProblems) -> Redaction {
        guard let path = path(forFolder: folder) else { return try redaction(rules, file: name) }
        guard FixtureFileReader.item(at: path) == .file else {
            throw FixtureProblems([FixtureProblem(file: path, message: "expected a file, found something else")])
        }
        let bytes: [UInt8]
        do throws(FixtureFileReader.Failure) {
            bytes = try FixtureFileReader.bytes(of: path)
        } catch {
            throw FixtureProblems([FixtureProblem(file: path, message: error.description)])
        }
        return try redaction(read(bytes, file: path) + rules, file: path)
    }

    /// The redaction for a cassette: that of the folder which it is in.
    ///
    /// - Throws: as ``redaction(inFolder:rules:)``.
    public static func redaction(
        besideCassette path: String,
        rules: [Redaction.Rule] = []
    ) throws(FixtureProblems) -> Redaction {
        try redaction(inFolder: folder(of: path), rules: rules)
    }

    /// The nearest `reprise.yaml` for a folder; `nil` if there is none.
    static func path(forFolder folder: String) -> String? {
        var folder = folder
        while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
        // Names, not folders, are what a relative path goes up by.
        var isAbsolute = folder.hasPrefix("/")
        while true {
            let prefix = folder.isEmpty ? "" : folder == "/" ? "/" : folder + "/"
            if FixtureFileReader.item(at: prefix + name) != nil { return prefix + name }
            if [".git", "Package.swift"].contains(where: { FixtureFileReader.item(at: prefix + $0) != nil }) {
                return nil
            }
            if folder == "/" { return nil }
            let last = folder.split(separator: "/").last ?? ""
            if !isAbsolute, folder.isEmpty || folder == "." || last == ".." || last == "." {
                folder = FileManager.default.currentDirectoryPath + (folder.isEmpty ? "" : "/" + folder)
                folder = URL(fileURLWithPath: folder).standardizedFileURL.path
                isAbsolute = true
            }
            folder = self.folder(of: folder)
        }
    }

    /// The folder that `path` is in; empty for the working directory.
    private static func folder(of path: String) -> String {
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

    /// The rules in a file.
    ///
    /// - Parameters:
    ///   - file: its name, for messages.
    ///   - environment: the variables that rules may name; those of the process if not given.
    /// - Throws: All that is wrong.
    static func read(
        _ bytes: [UInt8],
        file: String,
        environment: [String: String]? = nil
    ) throws(FixtureProblems) -> [Redaction.Rule] {
        guard bytes.count <= 1 << 20 else {
            throw FixtureProblems([FixtureProblem(file: file, message: "expected at most 1 MiB, found more")])
        }
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
        return reading.rules
    }

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
}
