// SPDX-License-Identifier: Apache-2.0

/// Writes cassettes of format 1: the same exchanges give the same bytes, and reading them gives the same exchanges.
///
/// Every object and array of the format has a line for each member, but for what reads better on one: a step of a
/// stream, a recording's time, the sizes of chunks, and a body. A body that is JSON stands on one line if that has no
/// more than 100 bytes, and else has a line for each of its members.
public enum CassetteWriter {
    /// What a cassette is on the disk.
    public struct Output: Sendable, Hashable {
        /// The bytes of the cassette's file.
        public var bytes: [UInt8]
        /// What to put into the folder for its bodies (``CassetteBodies/folder(forCassette:)``), by name. Bodies that
        /// are in files already are not among them.
        public var bodies: [String: [UInt8]]
    }

    /// Why a cassette cannot be written.
    public enum Problem: Error, Sendable, Hashable, CustomStringConvertible {
        /// A body is in a file that is none of the cassette's body files, or only in a part of one.
        case bodyElsewhere(FileSource)

        /// The problem in a sentence.
        public var description: String {
            switch self {
            case .bodyElsewhere(let file):
                "expected a body in memory or in the cassette's bodies folder, found \(file.path)"
            }
        }
    }

    /// A longer body that is text is put into a file of its own.
    static let textLimit = 64 * 1024
    /// A longer body that is not text is put into a file of its own.
    static let binaryLimit = 4 * 1024

    /// Writes `cassette`. Times are kept to the microsecond.
    ///
    /// - Throws: If a body is in a file that has no name in the cassette's bodies folder.
    public static func write(_ cassette: Cassette) throws(Problem) -> Output {
        var text = CassetteText()
        try text.add(cassette)
        return Output(bytes: text.builder.text + [0x0A], bodies: text.bodies)
    }

    /// The name of the file for the body `bytes`: by what it holds, with the extension that `contentType` suggests.
    static func fileName(for bytes: [UInt8], contentType: String?) -> String {
        let essence = (contentType ?? "").prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        return SHA256.hexadecimal(of: bytes).prefix(16) + "." + fileExtension(for: essence)
    }

    private static func fileExtension(for type: String) -> String {
        if let known = extensions[type] { return known }
        if type.hasSuffix("+json") { return "json" }
        if type.hasSuffix("+xml") { return "xml" }
        return type.hasPrefix("text/") ? "txt" : "bin"
    }

    private static let extensions = [
        "application/gzip": "gz",
        "application/javascript": "js",
        "application/json": "json",
        "application/pdf": "pdf",
        "application/wasm": "wasm",
        "application/x-ndjson": "ndjson",
        "application/xml": "xml",
        "application/zip": "zip",
        "audio/mpeg": "mp3",
        "audio/ogg": "ogg",
        "audio/wav": "wav",
        "font/otf": "otf",
        "font/ttf": "ttf",
        "font/woff": "woff",
        "font/woff2": "woff2",
        "image/avif": "avif",
        "image/bmp": "bmp",
        "image/gif": "gif",
        "image/jpeg": "jpg",
        "image/png": "png",
        "image/svg+xml": "svg",
        "image/vnd.microsoft.icon": "ico",
        "image/webp": "webp",
        "image/x-icon": "ico",
        "text/calendar": "ics",
        "text/css": "css",
        "text/csv": "csv",
        "text/event-stream": "sse",
        "text/html": "html",
        "text/javascript": "js",
        "text/markdown": "md",
        "text/xml": "xml",
        "video/mp4": "mp4",
        "video/webm": "webm",
    ]
}
