// SPDX-License-Identifier: Apache-2.0

private import RepriseHashing
package import RepriseText

/// Writes cassettes of format 1: the same exchanges give the same bytes, and reading them gives the same exchanges.
///
/// Every object and array of the format has a line for each member, but for what reads better on one: a step of a
/// stream, a recording's time, the sizes of chunks, and a body. A body that is JSON stands on one line if that has no
/// more than 100 bytes, and else has a line for each of its members.
package enum CassetteWriter {
    /// What a cassette is on the disk.
    package struct Output: Sendable, Hashable {
        /// The bytes of the cassette's file.
        package var bytes: [UInt8]
        /// What to put into the folder for its bodies (``CassetteBodies/folder(forCassette:)``), by name. Bodies that
        /// are in files already are not among them.
        package var bodies: [String: [UInt8]]
    }

    /// Why a cassette cannot be written.
    package enum Problem: Error, Sendable, Hashable, CustomStringConvertible {
        /// A body is in a file that is none of the cassette's body files, or only in a part of one.
        case bodyElsewhere(FileSource)
        /// An exchange, counted from 1, is none that a cassette can hold; the text says what was expected and found.
        case invalid(exchange: Int, String)

        /// The problem in a sentence.
        package var description: String {
            switch self {
            case .bodyElsewhere(let file):
                "expected a body in memory or in the cassette's bodies folder, found \(file.path)"
            case .invalid(let exchange, let fault):
                "exchange \(exchange): \(fault)"
            }
        }
    }

    /// A longer body that is text is put into a file of its own.
    package static let textLimit = 64 * 1024
    /// A longer body that is not text is put into a file of its own.
    package static let binaryLimit = 4 * 1024

    /// Writes `cassette`. Times are kept to the microsecond.
    ///
    /// - Parameters:
    ///   - cassette: What to write.
    ///   - path: Where the cassette's file will be; `nil` if it is not known, and then no body may be in a file.
    /// - Throws: If a body is in a file that is not in the folder for the bodies of the cassette at `path`, or if there
    ///   is something that could not be read again.
    package static func write(_ cassette: Cassette, to path: String? = nil) throws(Problem) -> Output {
        for (index, exchange) in cassette.exchanges.enumerated() {
            if let fault = CassetteRules.fault(of: exchange) { throw .invalid(exchange: index + 1, fault) }
        }
        var text = CassetteText(path: path)
        try text.add(cassette)
        return Output(bytes: text.builder.text + [0x0A], bodies: text.bodies)
    }

    /// The name of the file for the body `bytes`: by what it holds, with the extension that `contentType` suggests.
    static func fileName(for bytes: [UInt8], contentType: String?) -> String {
        fileName(forHash: SHA256.hexadecimal(of: bytes), contentType: contentType)
    }

    /// The name of the file for a body with the SHA-256 `hash`, with the extension that `contentType` suggests.
    package static func fileName(forHash hash: String, contentType: String?) -> String {
        hash.prefix(16) + "." + fileExtension(for: MediaType(contentType ?? "").name)
    }

    private static func fileExtension(for type: String) -> String {
        if let known = extensions[type] { return known }
        if type.hasSuffix("+json") { return "json" }
        if type.hasSuffix("+xml") { return "xml" }
        return type.hasPrefix("text/") ? "txt" : "bin"
    }

    /// The extensions by the types that they stand for; where several stand for one, the usual one.
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
