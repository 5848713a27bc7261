// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseStorage
internal import RepriseText

/// The folder of a cassette's bodies, as used by a recorder.
///
/// New content is written to files called `<ordinal>.<part>.part`, or `<ordinal>-<generation>.<part>.part`. A complete
/// body is renamed to the first 16 hexadecimal digits of its SHA-256, with an extension. An existing file is never
/// overwritten, because an entry of the cassette can name it and it may have been edited.
struct BodyFolder: Sendable {
    /// The part of an exchange that a file contains during the recording.
    enum Part: String, CaseIterable, Sendable {
        case request
        case response
        /// The numbers written by a ``ChunkLog``.
        case pace
    }

    let path: String

    init(cassette path: String) {
        self.path = CassetteBodies.folder(forCassette: path)
    }

    /// The bodies in the folder, which are named but not read. A recorder does not need their content.
    var bodies: CassetteBodies {
        CassetteBodies { name in
            Result { () throws(CassetteBodies.Problem) in
                let size = try CassetteBodies.locate(name, inFolder: path).size
                return .file(FileSource(path: place(of: name).path, name: name, size: size))
            }
        }
    }

    func place(of name: String) -> FilePlace { FilePlace("\(path)/\(name)") }

    /// - Parameter generation: Distinguishes files of one part, if one replaces another.
    static func temporaryName(_ part: Part, ordinal: Int, generation: Int = 0) -> String {
        "\(ordinal)\(generation > 0 ? "-\(generation)" : "").\(part.rawValue).part"
    }

    func temporaryFile(_ part: Part, ordinal: Int) throws(FileError) -> StorageFile {
        try FilePlace(path).makeFolder()
        return try StorageFile(place(of: Self.temporaryName(part, ordinal: ordinal)).path, for: .replacing)
    }

    /// Removes the temporary files of an exchange, except those called `names`.
    func removeParts(of ordinal: Int, except names: [String]) throws(FileError) {
        for part in Part.allCases {
            let name = Self.temporaryName(part, ordinal: ordinal)
            if !names.contains(name) { try place(of: name).removeFile() }
        }
    }

    /// Finds the final name for the body in a temporary file.
    ///
    /// - Returns: The name, and whether a file with this name and content already exists.
    func name(
        for file: StorageFile,
        hash: String,
        contentType: String?
    ) throws(FileError) -> (name: String, exists: Bool) {
        let name = CassetteWriter.fileName(forHash: hash, contentType: contentType)
        let stem = name.prefix(16)
        for candidate in 1... {
            let name = candidate == 1 ? name : "\(stem)-\(candidate)\(name.dropFirst(16))"
            guard place(of: name).exists else { return (name, false) }
            if try hasSameContent(file, as: place(of: name)) { return (name, true) }
        }
        preconditionFailure("there is always a name")
    }

    private func hasSameContent(_ file: StorageFile, as place: FilePlace) throws(FileError) -> Bool {
        guard !place.isFolder else { return false }
        let other = try StorageFile(place.path, for: .reading)
        guard try file.size == other.size else { return false }
        var offset = 0
        while true {
            let block = try file.read(at: offset, count: StorageFile.blockSize)
            guard try block == other.read(at: offset, count: StorageFile.blockSize) else { return false }
            if block.isEmpty { return true }
            offset += block.count
        }
    }

    private static func isTemporary(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2] == "part", Part(rawValue: String(parts[1])) != nil else { return false }
        return parts[0].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).allSatisfy { number in
            !number.isEmpty && number.utf8.allSatisfy(isDigit)
        }
    }

    /// Whether a file has a name that a recorder gives to bodies.
    static func isBody(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let stem = parts.first?.utf8, stem.count >= 16 else { return false }
        let number = stem.dropFirst(16)
        let isNumbered = number.first == UInt8(ascii: "-") && number.count > 1 && number.dropFirst().allSatisfy(isDigit)
        return stem.prefix(16).allSatisfy { hexadecimalValue($0) != nil && $0 | 0x20 == $0 }
            && (number.isEmpty || isNumbered)
    }

    /// Removes files that a recorder created and that are no longer needed, and the folder if it is then empty.
    ///
    /// - Parameters:
    ///   - needed: The names of the files to keep.
    ///   - temporaryOnly: Whether to keep all bodies and remove only temporary files.
    func removeLeftovers(except needed: Set<String>, temporaryOnly: Bool) throws(FileError) {
        guard FilePlace(path).isFolder else { return }
        for name in (try? FixtureFileReader.names(inFolder: path)) ?? [] {
            let isManaged = Self.isTemporary(name) || !temporaryOnly && Self.isBody(name)
            if isManaged, !needed.contains(name) { try place(of: name).removeFile() }
        }
        try FilePlace(path).removeEmptyFolder()
    }
}
