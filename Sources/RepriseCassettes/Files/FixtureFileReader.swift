// SPDX-License-Identifier: Apache-2.0

private import RepriseStorage
package import RepriseText

#if canImport(FoundationEssentials)
    private import FoundationEssentials
#else
    private import Foundation
#endif

/// Reads fixture files and their attributes from the disk.
package enum FixtureFileReader {
    /// The reason a file or folder cannot be read. Messages put the description after the file's name.
    package enum Failure: Error, Hashable, CustomStringConvertible {
        case missing
        /// A link to the given path, where nothing exists.
        case brokenLink(String)
        /// A name that is not UTF-8, so that the file cannot be named here.
        case undecodableName
        case folder
        case notRegular
        case notPermitted
        case unreadable
        case privateKey

        package var description: String {
            switch self {
            case .missing: "expected a file or folder, found nothing"
            case .brokenLink(let target):
                "expected a file or folder, found a link to '\(DisplayText.escaped(target))', where nothing exists; "
                    + "correct or remove the link"
            case .undecodableName: "expected a file name in UTF-8, found other bytes; rename the file"
            case .folder: "expected a fixture file, as the name suggests, found a folder"
            case .notRegular: "expected a regular file, found a pipe, socket, or device"
            case .notPermitted: "expected a readable file, found one without read permission"
            case .unreadable: "expected a readable file, found one that cannot be opened"
            case .privateKey: "expected a file to serve, found a private key, which is never served; move the key away"
            }
        }
    }

    /// The kind of item at a path.
    package enum Item {
        case file
        case folder
        /// A pipe, a socket or a device. Opening one can block forever, so it is never opened.
        case other
    }

    /// The item at a path and its size.
    package struct Entry: Hashable {
        package var item: Item
        /// The number of bytes if the item is a file.
        package var size: Int
        /// Whether the path is a link to the item.
        package var isLink = false
    }

    /// Returns the item at `path`, following links, or `nil` if it is missing or not accessible.
    package static func item(at path: String) -> Item? {
        entry(at: path)?.item
    }

    /// Returns the item at `path` with its size, following links, or `nil` if it is missing or not accessible.
    package static func entry(at path: String) -> Entry? {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
        if attributes[.type] as? FileAttributeType != .typeSymbolicLink { return Entry(attributes) }
        // The real path of a broken link is the link itself.
        guard let target = try? FileManager.default.attributesOfItem(atPath: realPath(of: path)),
            target[.type] as? FileAttributeType != .typeSymbolicLink
        else { return nil }
        var entry = Entry(target)
        entry.isLink = true
        return entry
    }

    /// Returns the reason why there is no item at `path`.
    package static func reasonForMissing(_ path: String) -> Failure {
        if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) { return .brokenLink(target) }
        // Foundation replaces bytes that it cannot decode.
        return path.unicodeScalars.contains("\u{FFFD}") ? .undecodableName : .missing
    }

    /// The absolute path of `path` with all links resolved.
    package static func realPath(of path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    /// The names in a folder, in byte order.
    package static func names(inFolder path: String) throws(Failure) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path).sorted { one, other in
                one.utf8.lexicographicallyPrecedes(other.utf8)
            }
        } catch {
            throw failure(error, path)
        }
    }

    /// Returns all bytes of a file.
    package static func bytes(of path: String) throws(Failure) -> [UInt8] {
        _ = try fileSize(of: path, entry(at: path))
        return try read(path)
    }

    /// Returns the bytes to serve from the file at the absolute `path`, or the file itself if it exceeds `limit`.
    ///
    /// - Parameter entry: The entry at `path` if the caller has already looked it up.
    package static func source(
        of path: String,
        inMemoryLimit limit: Int,
        entry: Entry? = nil
    ) throws(Failure) -> ByteSource {
        let entry = entry ?? self.entry(at: path)
        let size = try fileSize(of: path, entry)
        guard !KeyFile.isKey(at: entry?.isLink == true ? realPath(of: path) : path) else { throw .privateKey }
        guard size <= limit else { return .file(FileSource(path: path, size: size)) }
        return .bytes(try read(path))
    }

    private static func fileSize(of path: String, _ entry: Entry?) throws(Failure) -> Int {
        switch entry?.item {
        case .file?: return entry?.size ?? 0
        case .folder?: throw .folder
        case .other?: throw .notRegular
        case nil:
            // Opening it fails too, and the error gives the reason.
            _ = try read(path)
            throw .unreadable
        }
    }

    private static func read(_ path: String) throws(Failure) -> [UInt8] {
        if let data = FileManager.default.contents(atPath: path) { return Array(data) }
        do {
            // Slower, but it throws an error that gives the reason.
            return Array(try Data(contentsOf: URL(fileURLWithPath: path, isDirectory: false)))
        } catch {
            throw failure(error, path)
        }
    }

    private static func failure(_ error: any Error, _ path: String) -> Failure {
        switch (error as? CocoaError)?.code {
        case CocoaError.fileReadNoSuchFile?, CocoaError.fileNoSuchFile?: reasonForMissing(path)
        case CocoaError.fileReadNoPermission?: .notPermitted
        default: item(at: path) == .folder ? .folder : .unreadable
        }
    }
}

extension FixtureFileReader.Entry {
    fileprivate init(_ attributes: [FileAttributeKey: Any]) {
        switch attributes[.type] as? FileAttributeType {
        case .typeRegular?: item = .file
        case .typeDirectory?: item = .folder
        default: item = .other
        }
        // The integer type of the size depends on the platform.
        let size = attributes[.size]
        self.size = (size as? any BinaryInteger).map { Int(clamping: $0) } ?? size as? Int ?? 0
    }
}
