// SPDX-License-Identifier: Apache-2.0

package import RepriseAnswers
internal import RepriseCassettes
private import RepriseStorage
package import RepriseText

/// A folder whose files are served as they are, below `/`.
///
/// A file is looked up when it is requested, so a large folder costs nothing at the start, and a change is visible at
/// once. Hidden files, backups, and links that lead out of the folder are not served.
package struct StaticFolder: Sendable {
    /// The path as the user gave it.
    package let path: String

    /// What the folder has for a request.
    package enum Answer: Sendable {
        /// The file, as a plan that evaluates conditions, and its path.
        case file(ResponsePlan, path: String)
        /// A folder with an `index.html`. Its path needs a slash at the end, because links in the file are relative to
        /// it.
        case folder
        /// A file that cannot be read. The text gives the reason.
        case failure(String)
    }

    /// Creates a folder.
    ///
    /// - Throws: A problem if there is no folder at `path`.
    package init(_ path: String) throws(FixtureProblem) {
        self.path = path
        switch FixtureFileReader.item(at: path) {
        case .folder?: return
        case .file?, .other?:
            throw FixtureProblem(
                file: path,
                message: "expected a folder, found a file; name the folder that contains it"
            )
        case nil: throw FixtureProblem(file: path, message: "expected a folder, found nothing; create it")
        }
    }

    /// Returns the answer to a GET or HEAD request; `nil` if there is no such file.
    ///
    /// - Parameter requestPath: The path as sent.
    package func answer(_ requestPath: Span<UInt8>) -> Answer? {
        guard let request = StaticPath(requestPath) else { return nil }
        // The folder may be a link that leads elsewhere now.
        let root = FixtureFileReader.realPath(of: path)
        var location = ([root == "/" ? "" : root] + request.names).joined(separator: "/")
        if location.isEmpty { location = "/" }
        guard var entry = FixtureFileReader.entry(at: location) else { return nil }
        if entry.item == .folder {
            location += location == "/" ? "index.html" : "/index.html"
            guard let index = FixtureFileReader.entry(at: location) else { return nil }
            entry = index
        } else if request.isFolder {
            return nil
        }
        let real = FixtureFileReader.realPath(of: location)
        guard entry.item == .file, isInside(real, root) else { return nil }
        if location.hasSuffix("/index.html"), !request.isFolder, request.names.last != "index.html" { return .folder }
        let name = location.utf8.dropFirst(root == "/" ? 0 : root.utf8.count)
        return file(at: real, entry, name: String(decoding: name, as: UTF8.self))
    }

    /// Whether a path without links is in the folder, and not hidden there.
    private func isInside(_ real: String, _ root: String) -> Bool {
        let start = (root == "/" ? root : root + "/").utf8
        // Compared as bytes, as the file system does, and not as characters that may have several encodings.
        guard real.utf8.starts(with: start) else { return false }
        return real.utf8.dropFirst(start.count).split(separator: UInt8(ascii: "/")).allSatisfy { name in
            StaticPath.isServed(String(decoding: name, as: UTF8.self))
        }
    }

    private func file(at location: String, _ entry: FixtureFileReader.Entry, name: String) -> Answer {
        do {
            let body = try FixtureFileReader.source(
                of: location,
                inMemoryLimit: CassetteBodies.inMemoryLimit,
                entry: entry
            )
            .versioned()
            let parts = name.split(separator: "/").last?.split(separator: ".") ?? []
            let fileExtension = parts.count > 1 ? parts[parts.count - 1].lowercased() : ""
            let plan = ResponsePlan(file: body, fileExtension: fileExtension, entityTag: try tag(of: body, location))
            return .file(plan, path: (path.hasSuffix("/") ? String(path.dropLast()) : path) + name)
        } catch let failure as FixtureFileReader.Failure {
            return .failure(failure.description)
        } catch {
            return .failure(FixtureFileReader.Failure.unreadable.description)
        }
    }

    /// Returns an entity tag. Reading a large file for each request would take too long, so its tag depends on its size
    /// and the time of its last change.
    private func tag(of body: ByteSource, _ location: String) throws -> String {
        if case .bytes = body { return try body.entityTag() }
        return "\"\(try FilePlace(location).stamp().text)\""
    }
}
