// SPDX-License-Identifier: Apache-2.0

/// The Content-Type that a file's extension stands for.
package enum ContentType {
    /// The Content-Type of a file with `fileExtension`, in lower case; `application/octet-stream` where it is unknown.
    ///
    /// Text says that it is UTF-8. JSON does not: it is always UTF-8 (RFC 8259 section 8.1), and its media type has no
    /// charset parameter.
    package static func named(byExtension fileExtension: String) -> String {
        types[fileExtension] ?? "application/octet-stream"
    }

    private static let types: [String: String] = [
        // Text.
        "css": "text/css; charset=utf-8",
        "csv": "text/csv; charset=utf-8",
        "htm": "text/html; charset=utf-8",
        "html": "text/html; charset=utf-8",
        "ics": "text/calendar; charset=utf-8",
        "js": "text/javascript; charset=utf-8",
        "md": "text/markdown; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8",
        "sse": "text/event-stream",
        "tsv": "text/tab-separated-values; charset=utf-8",
        "txt": "text/plain; charset=utf-8",
        "vtt": "text/vtt; charset=utf-8",
        // Data.
        "atom": "application/atom+xml; charset=utf-8",
        "cbor": "application/cbor",
        "geojson": "application/geo+json",
        "graphql": "application/graphql; charset=utf-8",
        "json": "application/json",
        "jsonl": "application/x-ndjson",
        "jsonld": "application/ld+json",
        "m3u8": "application/vnd.apple.mpegurl",
        "map": "application/json",
        "ndjson": "application/x-ndjson",
        "pb": "application/x-protobuf",
        "rss": "application/rss+xml; charset=utf-8",
        "toml": "application/toml; charset=utf-8",
        "wasm": "application/wasm",
        "webmanifest": "application/manifest+json",
        "xhtml": "application/xhtml+xml; charset=utf-8",
        "xml": "application/xml; charset=utf-8",
        "yaml": "application/yaml; charset=utf-8",
        "yml": "application/yaml; charset=utf-8",
        // Images.
        "apng": "image/apng",
        "avif": "image/avif",
        "bmp": "image/bmp",
        "gif": "image/gif",
        "heic": "image/heic",
        "ico": "image/x-icon",
        "jpeg": "image/jpeg",
        "jpg": "image/jpeg",
        "png": "image/png",
        "svg": "image/svg+xml; charset=utf-8",
        "tif": "image/tiff",
        "tiff": "image/tiff",
        "webp": "image/webp",
        // Sound, film, fonts.
        "aac": "audio/aac",
        "flac": "audio/flac",
        "m4a": "audio/mp4",
        "mov": "video/quicktime",
        "mp3": "audio/mpeg",
        "mp4": "video/mp4",
        "mpeg": "video/mpeg",
        "oga": "audio/ogg",
        "ogg": "audio/ogg",
        "ogv": "video/ogg",
        "opus": "audio/opus",
        "otf": "font/otf",
        "ts": "video/mp2t",
        "ttf": "font/ttf",
        "wav": "audio/wav",
        "weba": "audio/webm",
        "webm": "video/webm",
        "woff": "font/woff",
        "woff2": "font/woff2",
        // Documents and archives.
        "7z": "application/x-7z-compressed",
        "bin": "application/octet-stream",
        "bz2": "application/x-bzip2",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "epub": "application/epub+zip",
        "gz": "application/gzip",
        "pdf": "application/pdf",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "rtf": "application/rtf",
        "tar": "application/x-tar",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "zip": "application/zip",
        "zst": "application/zstd",
    ]
}
