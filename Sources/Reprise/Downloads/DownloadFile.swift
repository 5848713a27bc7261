// SPDX-License-Identifier: Apache-2.0

internal import RepriseStorage
internal import RepriseText

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A file that is being downloaded, next to the file that it becomes.
///
/// `film.mp4.partial` has the bytes, and `film.mp4.partial.json` the version that they belong to. The version is
/// written only while there are no bytes, so bytes never belong to another version than the one in the file.
struct DownloadFile: DownloadDestination {
    private let target: FilePlace
    private let versionPlace: FilePlace
    private let storage: StorageFile
    private(set) var size: Int
    private(set) var version: DownloadVersion?

    /// Opens the file, with the bytes of an earlier download.
    ///
    /// - Throws: ``ClientError/Code/file`` if the file cannot be written, or if another download writes it.
    init(for url: URL) throws(ClientError) {
        guard url.isFileURL, !url.path.isEmpty, !FilePlace(url.path).isFolder else {
            throw ClientError(
                .file,
                "expected the URL of a file (file:///…), found \(SecretQuery.quoted(url.absoluteString))"
            )
        }
        target = FilePlace(url.path)
        versionPlace = FilePlace("\(url.path).partial.json")
        do throws(FileError) {
            try target.folder.makeFolder()
            storage = try StorageFile("\(url.path).partial", for: .appending)
            // A download that has just ended moves the file away before it releases the lock.
            guard try storage.lock(), storage.isInPlace else { throw FileError.isLocked(storage.path) }
            size = try storage.size
        } catch {
            throw ClientError(writing: error)
        }
        let text = try? Data(contentsOf: URL(filePath: versionPlace.path))
        version = text.flatMap { try? JSONDecoder().decode(DownloadVersion.self, from: $0) }
    }

    mutating func restart(_ version: DownloadVersion?) throws {
        do throws(FileError) {
            try storage.truncate(to: 0)
            size = 0
            self.version = nil
            try versionPlace.removeFile()
        } catch {
            throw ClientError(writing: error)
        }
        guard let version else { return }
        do {
            try JSONEncoder().encode(version).write(to: URL(filePath: versionPlace.path), options: .atomic)
            self.version = version
        } catch {
            throw ClientError(
                .file,
                "the file \(versionPlace.path.debugDescription) cannot be written: \(error)",
                underlying: error
            )
        }
    }

    mutating func append(_ bytes: [UInt8]) throws {
        do throws(FileError) {
            try storage.append(bytes.span)
        } catch {
            // Some of the bytes may have been written.
            size = (try? storage.size) ?? size
            throw ClientError(writing: error)
        }
        size += bytes.count
    }

    /// Replaces the target with the complete file in one step.
    func finish() throws(ClientError) {
        do throws(FileError) {
            // Otherwise the file could be empty after a power failure, although it has its final name.
            try storage.synchronize()
            try FilePlace(storage.path).move(to: target)
            try versionPlace.removeFile()
        } catch {
            throw ClientError(writing: error)
        }
    }

    func remove() {
        _ = try? FilePlace(storage.path).removeFile()
        _ = try? versionPlace.removeFile()
    }
}

extension FileError {
    fileprivate static func isLocked(_ path: String) -> FileError {
        FileError(code: 0, call: "lock", path: path)
    }
}

extension ClientError {
    fileprivate init(writing error: FileError) {
        let why =
            error.code == 0 ? "another download is writing it; wait for its end" : "\(error.call): \(error.reason)"
        self.init(.file, "the file \(error.path.debugDescription) cannot be written: \(why)", underlying: error)
    }
}
