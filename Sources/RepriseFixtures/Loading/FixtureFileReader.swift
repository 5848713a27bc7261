// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    private import FoundationEssentials
#else
    private import Foundation
#endif

/// The files of fixtures, as the disk has them.
enum FixtureFileReader {
    /// What keeps a file or folder from being read; its description goes after the file's name.
    enum Failure: Error, Hashable, CustomStringConvertible {
        case missing
        case folder
        case notPermitted
        case unreadable

        var description: String {
            switch self {
            case .missing: "expected a file or folder, found nothing"
            case .folder: "expected a file, because the name is that of a fixture, found a folder"
            case .notPermitted: "expected to read this, but permission is denied"
            case .unreadable: "expected to read this, but it cannot be opened"
            }
        }
    }

    /// What is at a path.
    enum Item {
        case file
        case folder
    }

    /// What is at `path`, through links; `nil` if nothing is.
    static func item(at path: String) -> Item? {
        var isFolder = false
        #if canImport(FoundationEssentials)
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
        #else
            guard FileManager.default.fileExists(atPath: path) else { return nil }
            let values = try? URL(fileURLWithPath: path).resolvingSymlinksInPath().resourceValues(forKeys: [
                .isDirectoryKey
            ])
            isFolder = values?.isDirectory ?? false
        #endif
        return isFolder ? .folder : .file
    }

    /// The absolute path of `path` without links.
    static func realPath(of path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    /// The names in a folder, in byte order.
    static func names(inFolder path: String) throws(Failure) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path).sorted { one, other in
                one.utf8.lexicographicallyPrecedes(other.utf8)
            }
        } catch {
            throw failure(error, path)
        }
    }

    /// All bytes of a file.
    static func bytes(of path: String) throws(Failure) -> [UInt8] {
        if let data = FileManager.default.contents(atPath: path) { return Array(data) }
        do {
            // Slower, but it says what is wrong.
            return Array(try Data(contentsOf: URL(fileURLWithPath: path, isDirectory: false)))
        } catch {
            throw failure(error, path)
        }
    }

    /// The bytes of the file at the absolute `path`, or the file itself where it has more than `limit`.
    static func source(of path: String, inMemoryLimit limit: Int) throws(Failure) -> ByteSource {
        let size: Int
        do {
            // A mapping tells the size of a file for less than its attributes cost. It is never looked into: another
            // process may cut the file short in the meantime.
            size = try Data(contentsOf: URL(fileURLWithPath: path, isDirectory: false), options: .alwaysMapped).count
        } catch {
            throw failure(error, path)
        }
        guard size <= limit else { return .file(FileSource(path: path, size: size)) }
        return .bytes(try bytes(of: path))
    }

    private static func failure(_ error: any Error, _ path: String) -> Failure {
        switch (error as? CocoaError)?.code {
        case CocoaError.fileReadNoSuchFile?, CocoaError.fileNoSuchFile?: .missing
        case CocoaError.fileReadNoPermission?: .notPermitted
        default: item(at: path) == .folder ? .folder : .unreadable
        }
    }
}
