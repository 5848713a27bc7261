// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
private import RepriseHashing
package import RepriseText

/// Writes cassettes: in format 1, or in format 2 if the cassette has a table of stand-ins or anything else that format
/// 1 cannot contain. The same exchanges always produce the same bytes, and reading them produces the same exchanges.
///
/// Objects and arrays have one line per member, except those that read better on a single line: a step of a stream,
/// the time of a recording, the sizes of chunks, and a body. A JSON body is on one line if that line has at most 100
/// bytes. Otherwise it has one line per member.
package enum CassetteWriter {
    /// The files of a written cassette.
    package struct Output: Sendable, Hashable {
        /// The bytes of the cassette file.
        package var bytes: [UInt8]
        /// The files to write to the bodies folder (``CassetteBodies/folder(forCassette:)``), by name. Bodies that
        /// already are in files are not included.
        package var bodies: [String: [UInt8]]
    }

    /// The reason a cassette cannot be written.
    package enum Problem: Error, Sendable, Hashable, CustomStringConvertible {
        /// A body is only a part of a file, or is in a file that is not one of the cassette's body files.
        case bodyElsewhere(FileSource)
        /// The exchange with this number, counted from 1, is invalid. The text describes what was expected and found.
        case invalid(exchange: Int, String)
        /// The stand-in with this number, counted from 1, is invalid. The text describes what was expected and found.
        case invalidStandIn(Int, String)

        /// The problem in a sentence.
        package var description: String {
            switch self {
            case .bodyElsewhere(let file):
                "expected a body in memory or in the cassette's bodies folder, found \(file.path)"
            case .invalid(let exchange, let fault):
                "exchange \(exchange): \(fault)"
            case .invalidStandIn(let number, let fault):
                "stand-in \(number): \(fault)"
            }
        }
    }

    /// The size in bytes above which a text body is written to its own file.
    package static let textLimit = 64 * 1024
    /// The size in bytes above which a binary body is written to its own file.
    package static let binaryLimit = 4 * 1024

    /// Writes `cassette`. Times are rounded to the microsecond.
    ///
    /// - Parameters:
    ///   - cassette: The cassette to write.
    ///   - path: The path of the cassette file, or `nil` if it is unknown. If it is `nil`, no body can be in a file.
    /// - Throws: ``Problem`` if a body is in a file outside the bodies folder of the cassette at `path`, or if the
    ///   cassette contains a value that cannot be read again.
    package static func write(_ cassette: Cassette, to path: String? = nil) throws(Problem) -> Output {
        for (index, exchange) in cassette.exchanges.enumerated() {
            if let fault = CassetteRules.fault(of: exchange) { throw .invalid(exchange: index + 1, fault) }
        }
        if let (index, fault) = CassetteRules.fault(of: cassette.standIns ?? []) {
            throw .invalidStandIn(index + 1, fault)
        }
        var text = CassetteText(path: path)
        try text.add(cassette.format == .one ? cassette : cassette.listingMarkers())
        return Output(bytes: text.builder.text + [0x0A], bodies: text.bodies)
    }

    /// Returns the file name for the body `bytes`: a hash of the content, with the extension that `contentType`
    /// suggests.
    static func fileName(for bytes: [UInt8], contentType: String?) -> String {
        fileName(forHash: SHA256.hexadecimal(of: bytes), contentType: contentType)
    }

    /// Returns the file name for a body with the SHA-256 `hash`, with the extension that `contentType` suggests.
    package static func fileName(forHash hash: String, contentType: String?) -> String {
        hash.prefix(16) + "." + fileExtension(for: MediaType(contentType ?? "").name)
    }

    private static func fileExtension(for type: String) -> String {
        if let known = extensions[type] { return known }
        if type.hasSuffix("+json") { return "json" }
        if type.hasSuffix("+xml") { return "xml" }
        return type.hasPrefix("text/") ? "txt" : "bin"
    }

    /// The file extensions by media type. A type with several extensions has the most common one.
    private static let extensions: [String: String] = {
        let usual = [
            "apng", "avif", "bmp", "bz2", "cbor", "css", "csv", "flac", "gif", "gz", "html", "ico", "ics", "jpg", "js",
            "json", "md", "mov", "mp3", "mp4", "ndjson", "ogg", "otf", "pb", "pdf", "png", "sse", "svg", "tar", "tiff",
            "tsv", "ttf", "vtt", "wasm", "wav", "weba", "webm", "webp", "woff", "woff2", "xhtml", "xml", "yaml", "zip",
            "zst",
        ]
        var extensions = [
            "application/javascript": "js",
            "image/vnd.microsoft.icon": "ico",
            "text/xml": "xml",
        ]
        for name in usual {
            extensions[MediaType(ContentType.named(byExtension: name)).name] = name
        }
        return extensions
    }()
}
