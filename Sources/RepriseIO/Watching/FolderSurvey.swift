// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// What exists at some paths and below them, and what to watch in order to notice changes.
///
/// Links are followed. A folder that is reached several times is read once, so links cannot lead in circles.
struct FolderSurvey {
    /// The file system's identity of a file or folder.
    struct Identity: Hashable {
        var device: UInt64
        var number: UInt64
    }

    /// What to watch about a file or folder.
    enum Interest: Hashable {
        /// The entries of a folder, and what they contain.
        case contents
        /// The entry of a folder with this name.
        case entry(String)
        /// Whether the folder is moved or removed.
        case itself
        /// The content of a file.
        case file
    }

    /// A file or folder to watch.
    struct Place: Hashable {
        var path: String
        var identity: Identity
        var interest: Interest
    }

    /// The places to watch, those that contain others first.
    private(set) var places: [Place] = []
    /// A hash of all paths, with the sizes and times of the files. Within a process, it changes only if a file does.
    private(set) var digest: UInt64 = 0

    private let isIgnored: (_ path: String, _ isFolder: Bool) -> Bool
    private let includesFiles: Bool
    private var seen: Set<Identity> = []
    private var links: Set<String> = []

    /// - Parameters:
    ///   - paths: The absolute paths of files and folders, which need not exist.
    ///   - includesFiles: Whether each file below a folder is a place of its own. Otherwise, only links are, because
    ///     the notifications of a folder do not cover files elsewhere.
    ///   - isIgnored: Whether the file or folder at a path is left out.
    init(
        _ paths: [String],
        includesFiles: Bool,
        isIgnored: @escaping (_ path: String, _ isFolder: Bool) -> Bool
    ) {
        self.includesFiles = includesFiles
        self.isIgnored = isIgnored
        for path in paths {
            addAncestors(of: path)
            add(path)
        }
    }

    /// Returns an absolute path, without resolving links.
    static func absolute(_ path: String) -> String {
        let trimmed = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        guard !trimmed.hasPrefix("/"), let current = unsafe getcwd(nil, 0) else { return trimmed }
        defer { unsafe free(current) }
        let folder = unsafe String(cString: current)
        if trimmed == "." || trimmed.isEmpty { return folder }
        return folder == "/" ? "/\(trimmed)" : "\(folder)/\(trimmed)"
    }

    /// Adds the folders that contain `path`, because one of them may be moved. The last one that exists is watched
    /// until the next one is created in it. The targets of links on the way are added too, because each link of a chain
    /// may be changed.
    private mutating func addAncestors(of path: String) {
        var paths = [path]
        while let path = paths.popLast() {
            var folder = "/"
            guard var current = Self.item(at: folder) else { return }
            let names = path.split(separator: "/").map(String.init)
            for (number, name) in names.enumerated() {
                let next = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
                let item = Self.item(at: next)
                let target = item?.is_link != false && links.insert(next).inserted ? Self.target(of: next) : nil
                if let target { paths.append(target.hasPrefix("/") ? target : "\(folder)/\(target)") }
                let identity = Identity(device: current.device, number: current.number)
                let isPassed = number < names.count - 1 && item?.is_folder == true && item?.is_link == false
                places.append(Place(path: folder, identity: identity, interest: isPassed ? .itself : .entry(name)))
                guard let item, item.is_folder else { break }
                folder = next
                current = item
            }
        }
    }

    private mutating func add(_ path: String) {
        guard let item = Self.item(at: path) else { return }
        combine(path, item)
        let identity = Identity(device: item.device, number: item.number)
        guard item.is_folder else {
            places.append(Place(path: path, identity: identity, interest: .file))
            return
        }
        var folders = [(path, identity)]
        while let (folder, identity) = folders.popLast() {
            guard seen.insert(identity).inserted else { continue }
            places.append(Place(path: folder, identity: identity, interest: .contents))
            for name in Self.names(in: folder) {
                let path = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
                let item = Self.item(at: path)
                guard !isIgnored(path, item?.is_folder == true) else { continue }
                if item?.is_link != false { addAncestors(of: path) }
                guard let item else { continue }
                combine(path, item)
                let identity = Identity(device: item.device, number: item.number)
                if item.is_folder {
                    folders.append((path, identity))
                } else if includesFiles || item.is_link {
                    places.append(Place(path: path, identity: identity, interest: .file))
                }
            }
        }
    }

    /// Adds an item to the digest, which does not depend on the order of the items.
    private mutating func combine(_ path: String, _ item: shim_item) {
        var hasher = Hasher()
        hasher.combine(path)
        hasher.combine(item.number)
        if !item.is_folder {
            hasher.combine(item.size)
            hasher.combine(item.modified)
            hasher.combine(item.changed)
        }
        digest &+= UInt64(bitPattern: Int64(hasher.finalize()))
    }

    private static func item(at path: String) -> shim_item? {
        var item = shim_item()
        return unsafe shim_item_at(path, &item) == 0 ? item : nil
    }

    /// Returns where a link leads, or nil if there is no link at `path`.
    private static func target(of path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink(path, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }

    private static func names(in folder: String) -> [String] {
        guard let open = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(open) }
        var names: [String] = []
        while let name = unsafe shim_next_name(open) {
            let name = unsafe String(cString: name)
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
