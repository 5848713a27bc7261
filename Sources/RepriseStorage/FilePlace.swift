// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    private import Darwin
#elseif canImport(Musl)
    private import Musl
#else
    private import Glibc
#endif

/// A path, and what is done with whatever is there.
package struct FilePlace: Sendable, Hashable {
    /// The path.
    package let path: String

    /// The place at `path`.
    package init(_ path: String) {
        self.path = path
    }

    /// The folder that it is in.
    package var folder: FilePlace {
        let trimmed = path.utf8.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        guard let slash = trimmed.lastIndex(of: "/") else { return FilePlace(".") }
        return FilePlace(slash == trimmed.startIndex ? "/" : String(trimmed[..<slash]))
    }

    /// Whether anything is there, at the end of any links.
    package var exists: Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0
    }

    /// Whether a folder is there.
    package var isFolder: Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Puts what is here to `target`, in one step: whoever opens that finds what was there before or this.
    package func move(to target: FilePlace) throws(FileError) {
        guard unsafe rename(path, target.path) == 0 else { throw .last("rename", target.path) }
    }

    /// Removes the file that is here.
    ///
    /// - Returns: `false` if there was nothing.
    @discardableResult
    package func removeFile() throws(FileError) -> Bool {
        if unsafe unlink(path) == 0 { return true }
        guard errno == ENOENT else { throw .last("remove", path) }
        return false
    }

    /// Removes the folder that is here if nothing is in it.
    package func removeEmptyFolder() throws(FileError) {
        guard unsafe rmdir(path) != 0, ![ENOENT, ENOTEMPTY, EEXIST].contains(errno) else { return }
        throw .last("remove", path)
    }

    /// Makes a folder here, and those that it is in, where they are not there yet.
    package func makeFolder() throws(FileError) {
        if unsafe isFolder || mkdir(path, 0o777) == 0 { return }
        let error = FileError.last("make the folder", path)
        guard error.isMissing, folder != self else {
            // Another may have made it just now.
            if isFolder { return }
            throw error
        }
        try folder.makeFolder()
        guard unsafe mkdir(path, 0o777) == 0 || isFolder else { throw .last("make the folder", path) }
    }

    /// Waits until the names in the folder that is here are on the disk.
    package func synchronizeFolder() throws(FileError) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last("open", path) }
        defer { close(descriptor) }
        // Some file systems have nothing to wait for and say so.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw .last("fsync", path) }
    }
}
