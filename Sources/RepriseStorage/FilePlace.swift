// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    private import Darwin
#elseif canImport(Musl)
    private import Musl
#else
    private import Glibc
#endif

/// A path, with operations on the file or folder at the path.
package struct FilePlace: Sendable, Hashable {
    /// The path.
    package let path: String

    /// Creates a place at `path`.
    package init(_ path: String) {
        self.path = path
    }

    /// The parent folder.
    package var folder: FilePlace {
        let trimmed = path.utf8.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        guard let slash = trimmed.lastIndex(of: "/") else { return FilePlace(".") }
        return FilePlace(slash == trimmed.startIndex ? "/" : String(trimmed[..<slash]))
    }

    /// Whether a file or folder exists at the path. Follows links.
    package var exists: Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0
    }

    /// Whether the path is a folder.
    package var isFolder: Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether the path leads to a FIFO, whose writer waits for a reader.
    package var isFIFO: Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    /// Whether this process may write to the file or folder.
    package var isWritable: Bool { unsafe access(path, W_OK) == 0 }

    /// The place that the path leads to if it is a symbolic link, even if nothing exists there yet; otherwise the place
    /// itself. Links to folders on the way are not resolved.
    package var target: FilePlace {
        var place = self
        // As many as Linux follows.
        for _ in 0..<40 {
            guard let link = place.link else { return place }
            place = link.hasPrefix("/") ? FilePlace(link) : FilePlace("\(place.folder.path)/\(link)")
        }
        return self
    }

    /// The text of the symbolic link at the path, or `nil` if there is none.
    private var link: String? {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            guard let start = unsafe buffer.bindMemory(to: CChar.self).baseAddress else { return 0 }
            return unsafe readlink(path, start, buffer.count)
        }
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }

    /// Moves the file to `target` atomically: readers of `target` find either the previous file or this one.
    package func move(to target: FilePlace) throws(FileError) {
        guard unsafe rename(path, target.path) == 0 else { throw .last("rename", target.path) }
    }

    /// Writes a file. A regular file is replaced atomically: readers find either the previous content or this one. A
    /// FIFO, a device, or the target of a link is written in place.
    ///
    /// This call waits for the reader of a FIFO.
    package func write(_ bytes: [UInt8]) throws(FileError) {
        var status = stat()
        let exists = unsafe lstat(path, &status) == 0
        guard !exists || status.st_mode & S_IFMT == S_IFREG else { return try writeInto(bytes[...]) }
        let number = UInt64.random(in: .min ... .max)
        let temporary = FilePlace("\(path).\(number)\(ContainedFolder.temporarySuffix)")
        do throws(FileError) {
            let slice = bytes[...]
            try StorageFile(temporary.path, for: .creating).append(slice.span)
            try temporary.move(to: self)
        } catch {
            _ = try? temporary.removeFile()
            throw error
        }
    }

    private func writeInto(_ bytes: ArraySlice<UInt8>) throws(FileError) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .last("open", path) }
        defer { close(descriptor) }
        try StorageFile.writeAll(bytes.span, to: descriptor, path)
    }

    /// Creates a file that only its owner may ever read, such as a private key. A partly written file is removed.
    ///
    /// - Throws: ``FileError`` if something exists at the path, or if the file cannot be written.
    package func createPrivate(_ bytes: [UInt8]) throws(FileError) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .last("create", path) }
        defer { close(descriptor) }
        do throws(FileError) {
            let slice = bytes[...]
            try StorageFile.writeAll(slice.span, to: descriptor, path)
            guard fsync(descriptor) == 0 else { throw .last("write", path) }
        } catch {
            _ = try? removeFile()
            throw error
        }
    }

    /// Removes the file.
    ///
    /// - Returns: `false` if the file did not exist.
    @discardableResult
    package func removeFile() throws(FileError) -> Bool {
        if unsafe unlink(path) == 0 { return true }
        guard errno == ENOENT else { throw .last("remove", path) }
        return false
    }

    /// Removes the folder if it is empty.
    package func removeEmptyFolder() throws(FileError) {
        guard unsafe rmdir(path) != 0, ![ENOENT, ENOTEMPTY, EEXIST].contains(errno) else { return }
        throw .last("remove", path)
    }

    /// Creates the folder and any missing parent folders.
    ///
    /// - Parameter isPrivate: Whether only the owner may use the folders that are created.
    package func makeFolder(isPrivate: Bool = false) throws(FileError) {
        let mode: mode_t = isPrivate ? 0o700 : 0o777
        if unsafe isFolder || mkdir(path, mode) == 0 { return }
        let error = FileError.last("make the folder", path)
        guard error.isMissing, folder != self else {
            // Another process may have just created it.
            if isFolder { return }
            throw error
        }
        try folder.makeFolder(isPrivate: isPrivate)
        guard unsafe mkdir(path, mode) == 0 || isFolder else { throw .last("make the folder", path) }
    }

    /// Waits until changes to the folder's entries have been written to the disk.
    package func synchronizeFolder() throws(FileError) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last("open", path) }
        defer { close(descriptor) }
        // Some file systems don't support fsync for folders and return EINVAL.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw .last("fsync", path) }
    }
}
