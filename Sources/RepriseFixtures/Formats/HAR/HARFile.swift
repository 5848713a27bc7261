// SPDX-License-Identifier: Apache-2.0

private import RepriseContentCoding
private import RepriseMatching
private import RepriseStorage
internal import RepriseText

/// A HAR file, and the body files that its entries name. Those are beside it, or in the same ZIP archive.
struct HARFile {
    /// The JSON text in UTF-8.
    let text: [UInt8]

    private let folder: ContainedFolder?
    private var archive: ZipArchive?
    /// The content of each body file that an entry names, kept because many entries can name the same file; nil if it
    /// could not be read.
    private var read: [String: [UInt8]?] = [:]
    /// The number of bytes that body files may still have, because a small archive can contain endless zeros.
    private var rest = 1 << 29

    /// Why a body file cannot be used.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Creates a HAR file without body files.
    init(_ text: [UInt8]) {
        self.text = text
        folder = nil
    }

    /// Creates a HAR file from its content, which can be a ZIP archive with one HAR file, or a text in UTF-16.
    ///
    /// - Parameters:
    ///   - location: The real path of the file, next to which the body files are.
    ///   - file: The file's name, for messages.
    init(_ content: [UInt8], at location: String, file: String) throws(FixtureProblems) {
        folder = ContainedFolder("/" + location.split(separator: "/").dropLast().joined(separator: "/"))
        guard content.starts(with: "PK".utf8) else {
            let isUTF16 = content.starts(with: [0xFF, 0xFE]) || content.starts(with: [0xFE, 0xFF])
            text = (isUTF16 ? Charset(Array("utf-16".utf8))?.decoded(content) : nil) ?? content
            return
        }
        do {
            let archive = try ZipArchive(content)
            let names = archive.names.filter { $0.lowercased().hasSuffix(".har") }
            guard names.count == 1, let text = try archive.content(of: names[0], limit: rest) else {
                throw Failure(description: "expected one HAR file (*.har) in the ZIP archive, found \(names.count)")
            }
            self.text = text
            self.archive = archive
        } catch {
            throw FixtureProblems([FixtureProblem(file: file, message: "\(error)")])
        }
    }

    /// Returns the content of a body file.
    ///
    /// - Parameter name: The path below the folder or in the archive. It never leads out of them.
    mutating func body(named name: String) throws(Failure) -> [UInt8] {
        if let known = read[name] ?? nil { return known }
        read[name] = .some(nil)
        let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let body: [UInt8]?
        do {
            body = try archive.map { try $0.content(of: name, limit: rest) } ?? folder?.read(parts, limit: rest)
        } catch {
            throw Failure(description: "its body file '\(DisplayText.escaped(name))' cannot be read: \(error)")
        }
        guard let body else {
            throw Failure(description: "its body file '\(DisplayText.escaped(name))' does not exist")
        }
        rest -= body.count
        read[name] = body
        return body
    }

    /// The paths of the body files that entries name; empty for a ZIP archive, which contains them.
    var bodyLocations: [String] { archive == nil ? read.keys.map { "\(folder?.path ?? "")/\($0)" } : [] }
}
