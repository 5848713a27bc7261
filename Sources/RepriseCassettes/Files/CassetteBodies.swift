// SPDX-License-Identifier: Apache-2.0

package import RepriseText

#if canImport(FoundationEssentials)
    private import FoundationEssentials
#else
    private import Foundation
#endif

/// The body files of a cassette, which its `"file"` members name.
///
/// They are in a folder beside the cassette. The folder has the name of the cassette with `.bodies` instead of
/// `.json`: the bodies of `chat.cassette.json` are in `chat.cassette.bodies/`.
package struct CassetteBodies: Sendable {
    /// The size in bytes up to which a body, or a route file, is kept in memory. A larger one stays in its file and is
    /// read when it is played.
    package static let inMemoryLimit = 64 * 1024

    /// The reason a body is unavailable.
    package struct Problem: Error, Sendable, Hashable {
        /// What was expected and what was found.
        package var message: String

        /// Creates a problem with the given message.
        package init(_ message: String) {
            self.message = message
        }
    }

    private let find: @Sendable (String) -> Result<ByteSource, Problem>

    /// Creates a source of bodies that looks up names with `find`. A name is a relative path without `.` and `..`.
    package init(find: @escaping @Sendable (_ name: String) -> Result<ByteSource, Problem>) {
        self.find = find
    }

    /// The bodies in the folder beside the cassette at `path`. Files reached through a symbolic link that leads
    /// outside that folder are rejected.
    package static func beside(cassette path: String) -> CassetteBodies {
        CassetteBodies { name in Result { () throws(Problem) in try file(name, besideCassette: path) } }
    }

    /// Bodies in memory.
    package static func inMemory(_ files: [String: [UInt8]]) -> CassetteBodies {
        CassetteBodies { name in
            guard let bytes = files[name] else { return .failure(Problem("expected the file \"\(name)\", found none")) }
            return .success(.bytes(bytes))
        }
    }

    /// The name or path of the bodies folder of the cassette called `name`.
    package static func folder(forCassette name: String) -> String {
        let suffix = ".json"
        return (name.lowercased().hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name) + ".bodies"
    }

    /// Returns the body called `name`.
    func body(named name: String) throws(Problem) -> ByteSource {
        if let fault = CassetteRules.fault(bodyName: name) { throw Problem(fault) }
        return try find(name).get()
    }

    /// Whether `file` is the body called `name` of the cassette at `path`, read from its start.
    static func isBody(_ file: FileSource, named name: String, ofCassette path: String) -> Bool {
        guard file.offset == 0, CassetteRules.fault(bodyName: name) == nil else { return false }
        let body = folder(forCassette: path) + "/" + name
        return file.path == body || realPath(file.path) == realPath(body)
    }

    private static func realPath(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }

    /// Returns the size of the body called `name` in the folder at `path`, and its path without links, which must not
    /// lead out of the folder.
    package static func locate(_ name: String, inFolder path: String) throws(Problem) -> (path: String, size: Int) {
        let place = URL(fileURLWithPath: path)
        let folder = place.lastPathComponent
        let resolved = place.appendingPathComponent(name).resolvingSymlinksInPath().path
        let parent = place.deletingLastPathComponent().resolvingSymlinksInPath()
        let allowed = parent.appendingPathComponent(folder).path + "/"
        guard let entry = FixtureFileReader.entry(at: resolved) else {
            throw Problem("expected the file \"\(name)\" in \(folder)/, found none")
        }
        guard resolved.hasPrefix(allowed) else {
            throw Problem("expected a file in \(folder)/, found a symbolic link that leads out of it: \"\(name)\"")
        }
        guard entry.item == .file else {
            throw Problem("expected the file \"\(name)\" in \(folder)/, found a folder or a special file")
        }
        return (resolved, entry.size)
    }

    private static func file(_ name: String, besideCassette path: String) throws(Problem) -> ByteSource {
        let folder = folder(forCassette: path)
        let place = try locate(name, inFolder: folder).path
        let source: ByteSource
        do {
            source = try FixtureFileReader.source(of: place, inMemoryLimit: inMemoryLimit)
        } catch {
            let folder = URL(fileURLWithPath: folder).lastPathComponent
            throw Problem("expected a readable file \"\(name)\" in \(folder)/, found one that cannot be opened")
        }
        guard case .file(let file) = source else { return source }
        return .file(FileSource(path: folder + "/" + name, name: name, size: file.size))
    }
}
