// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    private import Darwin
#elseif canImport(Musl)
    private import Musl
#else
    private import Glibc
#endif

/// A folder whose files are read and written by paths from elsewhere, which never lead out of it.
///
/// Each folder of a path is opened from the one before it, and links are not followed, so that nobody can lead a path
/// out of the folder, not even while it is used. A file is written beside its place and then moved there: after a crash
/// too, its content is the previous one or the new one.
package struct ContainedFolder: Sendable, Hashable {
    /// The path of the folder. It need not exist until something is written.
    package let path: String

    /// The name of files that are being written ends with this text.
    package static let temporarySuffix = ".reprise-part"

    package init(_ path: String) {
        self.path = path
    }

    /// Why a path cannot be used.
    package enum Failure: Error, Sendable, Hashable {
        /// A part of the path is empty, `.`, `..`, or contains a slash or a zero byte.
        case invalidPath
        /// A part of the path is a link.
        case link
        /// The file is the private key of a certificate authority.
        case privateKey
        /// The file does not have the expected content.
        case changed
        /// The system refused.
        case system(FileError)
    }

    // MARK: Reading

    /// Returns the content of a file; nil if there is none.
    ///
    /// - Parameter limit: The largest content to read.
    package func read(_ parts: [String], limit: Int = .max) throws(Failure) -> [UInt8]? {
        guard let folder = try openFolder(of: parts, creates: false), let name = parts.last else { return nil }
        return try read(name, in: folder, limit: limit)
    }

    /// Whether there is a file.
    package func contains(_ parts: [String]) throws(Failure) -> Bool {
        guard let folder = try openFolder(of: parts, creates: false), let name = parts.last else { return false }
        return try openFile(name, in: folder) != nil
    }

    private func read(_ name: String, in folder: borrowing Descriptor, limit: Int) throws(Failure) -> [UInt8]? {
        guard let file = try openFile(name, in: folder) else { return nil }
        return try read(file, name, limit: limit)
    }

    /// Opens a file; nil if there is none.
    private func openFile(_ name: String, in folder: borrowing Descriptor) throws(Failure) -> Descriptor? {
        let number = unsafe openat(folder.number, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("open", name)
        }
        let file = Descriptor(number)
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0 else { throw failure("fstat", name) }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFREG else {
            throw .system(FileError(code: kind == S_IFDIR ? EISDIR : EINVAL, call: "open", path: name))
        }
        guard !KeyFile.isKey(name, FileStamp(status).identity) else { throw .privateKey }
        return file
    }

    private func size(of file: borrowing Descriptor, _ name: String) throws(Failure) -> Int {
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0 else { throw failure("fstat", name) }
        return Int(status.st_size)
    }

    private func read(_ file: borrowing Descriptor, _ name: String, limit: Int) throws(Failure) -> [UInt8] {
        let size = try size(of: file, name)
        guard size <= limit else { throw .system(FileError(code: EFBIG, call: "read", path: name)) }
        var content: [UInt8] = []
        content.reserveCapacity(size)
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe readBytes(file.number, $0) }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure("read", name)
            }
            if count == 0 { return content }
            content += chunk.prefix(count)
            guard content.count <= limit else { throw .system(FileError(code: EFBIG, call: "read", path: name)) }
        }
    }

    /// Returns the paths of all files below the folder, sorted. Links, and files that are being written, are left out.
    package func list() throws(Failure) -> [String] {
        guard let root = try openFolder(of: ["x"], creates: false) else { return [] }
        var files: [String] = []
        try list(root, prefix: "", into: &files, depth: 0)
        return files.sorted()
    }

    private func list(
        _ folder: borrowing Descriptor,
        prefix: String,
        into files: inout [String],
        depth: Int
    ) throws(Failure) {
        guard depth < 64 else { return }
        for name in try names(in: folder) where name != "." && name != ".." && !name.hasSuffix(Self.temporarySuffix) {
            var status = stat()
            guard unsafe fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFREG: files.append(prefix + name)
            case S_IFDIR:
                guard let child = try open(name, in: folder, creates: false) else { continue }
                try list(child, prefix: prefix + name + "/", into: &files, depth: depth + 1)
            default: break
            }
        }
    }

    private func names(in folder: borrowing Descriptor) throws(Failure) -> [String] {
        // The stream closes its descriptor, so it gets one of its own.
        let number = unsafe openat(folder.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw failure("open", path) }
        guard let stream = unsafe fdopendir(number) else {
            close(number)
            throw failure("list", path)
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout<dirent>.size) {
                    unsafe String(cString: $0)
                }
            }
            names.append(name)
        }
        return names
    }

    // MARK: Writing

    /// What a file must contain before it is replaced or removed.
    package enum Expected: Sendable {
        /// There must be no file.
        case missing
        /// The file must have this many bytes, of which this is true, or be missing. A file of another size is not
        /// read.
        case content(count: Int, @Sendable ([UInt8]) -> Bool)
        case anything
    }

    /// Writes a file. Creates its folders.
    ///
    /// - Throws: ``Failure/changed`` if the file is not as expected.
    package func write(_ content: [UInt8], to parts: [String], over expected: Expected) throws(Failure) {
        guard let folder = try openFolder(of: parts, creates: true), let name = parts.last else {
            throw .invalidPath
        }
        // The content is compared once, just before the file is replaced.
        try check(name, in: folder, expected, comparesContent: false)
        // Short, because the name may be as long as the file system allows.
        let start = String(decoding: name.utf8.prefix(60), as: UTF8.self)
        let temporary = ".\(start).\(UInt64.random(in: .min ... .max))\(Self.temporarySuffix)"
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let number = unsafe openat(folder.number, temporary, flags, 0o666)
        guard number >= 0 else { throw failure("open", temporary) }
        do throws(Failure) {
            let file = Descriptor(number)
            let bytes = content[...]
            do throws(FileError) {
                try StorageFile.writeAll(bytes.span, to: file.number, temporary)
            } catch {
                throw .system(error)
            }
            guard fsync(file.number) == 0 else { throw failure("fsync", temporary) }
            try check(name, in: folder, expected)
            try move(temporary, to: name, in: folder, expected)
        } catch {
            _ = unsafe unlinkat(folder.number, temporary, 0)
            throw error
        }
        _ = fsync(folder.number)
    }

    /// Moves a complete file to its place. If nothing may be there, a file that has just come stays.
    private func move(
        _ temporary: String,
        to name: String,
        in folder: borrowing Descriptor,
        _ expected: Expected
    ) throws(Failure) {
        if case .missing = expected {
            guard unsafe linkat(folder.number, temporary, folder.number, name, 0) == 0 else {
                if errno == EEXIST { throw .changed }
                // Not all file systems have links to files.
                guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(errno) else { throw failure("link", name) }
                guard unsafe renameat(folder.number, temporary, folder.number, name) == 0 else {
                    throw failure("rename", name)
                }
                return
            }
            _ = unsafe unlinkat(folder.number, temporary, 0)
        } else {
            guard unsafe renameat(folder.number, temporary, folder.number, name) == 0 else {
                throw failure("rename", name)
            }
        }
    }

    /// Removes a file with the expected content.
    ///
    /// - Returns: `false` if there is no such file.
    /// - Throws: ``Failure/changed`` if the file is not as expected.
    package func remove(_ parts: [String], if expected: Expected) throws(Failure) -> Bool {
        guard let folder = try openFolder(of: parts, creates: false), let name = parts.last else { return false }
        guard try check(name, in: folder, expected) else { return false }
        guard unsafe unlinkat(folder.number, name, 0) == 0 else {
            if errno == ENOENT { return false }
            throw failure("remove", name)
        }
        return true
    }

    /// Throws if a file is not as expected.
    ///
    /// - Returns: Whether there is a file.
    @discardableResult
    private func check(
        _ name: String,
        in folder: borrowing Descriptor,
        _ expected: Expected,
        comparesContent: Bool = true
    ) throws(Failure) -> Bool {
        guard let file = try openFile(name, in: folder) else { return false }
        switch expected {
        case .anything: break
        case .missing: throw .changed
        case .content(let count, let isExpected):
            guard try size(of: file, name) == count else { throw .changed }
            guard comparesContent else { break }
            guard isExpected(try read(file, name, limit: count)) else { throw .changed }
        }
        return true
    }

    // MARK: Folders

    /// An open file or folder.
    private struct Descriptor: ~Copyable {
        let number: Int32

        init(_ number: Int32) {
            self.number = number
        }

        deinit { close(number) }
    }

    /// Opens the folder of a file; nil if it does not exist.
    private func openFolder(of parts: [String], creates: Bool) throws(Failure) -> Descriptor? {
        guard !parts.isEmpty, parts.allSatisfy({ Self.isName($0) }) else { throw .invalidPath }
        if creates {
            do throws(FileError) { try FilePlace(path).makeFolder() } catch { throw .system(error) }
        }
        // The folder itself belongs to the user, who may have made it a link.
        let number = openPath(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("open", path)
        }
        var folder = Descriptor(number)
        for part in parts.dropLast() {
            guard let next = try open(part, in: folder, creates: creates) else { return nil }
            folder = next
        }
        return folder
    }

    private func open(
        _ name: String,
        in folder: borrowing Descriptor,
        creates: Bool
    ) throws(Failure) -> Descriptor? {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        var number = unsafe openat(folder.number, name, flags)
        if number < 0, errno == ENOENT {
            guard creates else { return nil }
            guard unsafe mkdirat(folder.number, name, 0o777) == 0 || errno == EEXIST else {
                throw failure("make the folder", name)
            }
            number = unsafe openat(folder.number, name, flags)
        }
        guard number >= 0 else {
            // A link is refused with ELOOP, or with ENOTDIR where a folder is expected.
            if errno == ENOTDIR, isLink(name, in: folder) { throw .link }
            throw failure("open", name)
        }
        return Descriptor(number)
    }

    private func isLink(_ name: String, in folder: borrowing Descriptor) -> Bool {
        var status = stat()
        return unsafe fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0
            && status.st_mode & S_IFMT == S_IFLNK
    }

    private static func isName(_ part: String) -> Bool {
        !part.isEmpty && part != "." && part != ".." && !part.utf8.contains { $0 == 0 || $0 == 0x2F }
    }

    /// Returns the error of the last failed call on this thread.
    private func failure(_ call: String, _ name: String) -> Failure {
        errno == ELOOP ? .link : .system(.last(call, name))
    }
}

extension ContainedFolder.Failure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidPath: "expected the path of a file below the folder, found one that leads out of it, or none"
        case .link: "expected files and folders only, found a link, which could lead out of the folder"
        case .privateKey: "expected a file to serve, found a private key, which is never served; move the key away"
        case .changed: "expected the file as it was written, found another content"
        case .system(let error): error.description
        }
    }
}

// Inside the type, the system's functions are hidden by its own.

private func openPath(_ path: String, _ flags: Int32) -> Int32 { unsafe open(path, flags) }

private func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    unsafe read(descriptor, buffer.baseAddress, buffer.count)
}
