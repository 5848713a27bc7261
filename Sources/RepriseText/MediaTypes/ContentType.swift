// SPDX-License-Identifier: Apache-2.0

/// Media types of files by their extensions (RFC 9110 section 8.3.1).
package enum ContentType {
    /// The type of a file with an unknown extension (RFC 2046 section 4.5.1).
    package static let unknown = "application/octet-stream"

    /// Returns the Content-Type of a file by its lowercase extension, or ``unknown`` if the extension is not in the
    /// list. Text files are assumed to be UTF-8.
    ///
    /// Text types have a `charset=utf-8` parameter. JSON does not: it is always UTF-8 (RFC 8259 section 8.1), and its
    /// media type has no charset parameter.
    package static func named(byExtension fileExtension: String) -> String {
        guard let type = types[fileExtension] else { return unknown }
        return isText(type) ? "\(type); charset=utf-8" : type
    }

    /// Returns the media type of a file by the extension of its name, ignoring case. Text types have no charset,
    /// because the name does not indicate it.
    package static func named(byFilename filename: String) -> String {
        let parts = filename.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, let last = parts.last else { return unknown }
        return types[last.lowercased()] ?? unknown
    }

    private static func isText(_ type: String) -> Bool {
        type.hasPrefix("text/") && type != "text/event-stream" || type.hasSuffix("+xml") || textTypes.contains(type)
    }

    private static let textTypes: Set<ExactText> = [
        "application/graphql", "application/toml", "application/xml", "application/yaml",
    ]

    private static let types: [ExactText: String] = [
        // Text.
        "css": "text/css", "csv": "text/csv", "htm": "text/html", "html": "text/html", "ics": "text/calendar",
        "js": "text/javascript", "log": "text/plain", "md": "text/markdown", "mjs": "text/javascript",
        "sse": "text/event-stream", "tsv": "text/tab-separated-values", "txt": "text/plain", "vcf": "text/vcard",
        "vtt": "text/vtt",
        // Data.
        "atom": "application/atom+xml", "cbor": "application/cbor", "geojson": "application/geo+json",
        "gpx": "application/gpx+xml", "graphql": "application/graphql", "json": "application/json",
        "jsonl": "application/x-ndjson", "jsonld": "application/ld+json", "m3u8": "application/vnd.apple.mpegurl",
        "map": "application/json", "ndjson": "application/x-ndjson", "pb": "application/x-protobuf",
        "plist": "application/x-plist", "rss": "application/rss+xml", "sqlite": "application/vnd.sqlite3",
        "toml": "application/toml", "wasm": "application/wasm", "webmanifest": "application/manifest+json",
        "xhtml": "application/xhtml+xml", "xml": "application/xml", "yaml": "application/yaml",
        "yml": "application/yaml",
        // Images.
        "apng": "image/apng", "avif": "image/avif", "bmp": "image/bmp", "dng": "image/x-adobe-dng", "gif": "image/gif",
        "heic": "image/heic", "heif": "image/heif", "ico": "image/x-icon", "jpeg": "image/jpeg", "jpg": "image/jpeg",
        "png": "image/png", "svg": "image/svg+xml", "tif": "image/tiff", "tiff": "image/tiff", "webp": "image/webp",
        // Audio and video.
        "3gp": "video/3gpp", "aac": "audio/aac", "aiff": "audio/aiff", "avi": "video/x-msvideo", "caf": "audio/x-caf",
        "flac": "audio/flac", "m4a": "audio/mp4", "m4v": "video/x-m4v", "mkv": "video/x-matroska",
        "mov": "video/quicktime", "mp3": "audio/mpeg", "mp4": "video/mp4", "mpeg": "video/mpeg", "oga": "audio/ogg",
        "ogg": "audio/ogg", "ogv": "video/ogg", "opus": "audio/opus", "ts": "video/mp2t", "wav": "audio/wav",
        "weba": "audio/webm", "webm": "video/webm",
        // Documents, fonts and archives.
        "7z": "application/x-7z-compressed", "bin": "application/octet-stream", "bz2": "application/x-bzip2",
        "doc": "application/msword", "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "epub": "application/epub+zip", "gz": "application/gzip", "otf": "font/otf", "pdf": "application/pdf",
        "ppt": "application/vnd.ms-powerpoint",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation", "rtf": "application/rtf",
        "tar": "application/x-tar", "ttf": "font/ttf", "woff": "font/woff", "woff2": "font/woff2",
        "xls": "application/vnd.ms-excel", "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "zip": "application/zip", "zst": "application/zstd",
    ]
}
