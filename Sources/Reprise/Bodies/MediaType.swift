// SPDX-License-Identifier: Apache-2.0

/// The media types of files (RFC 9110 section 8.3.1).
enum MediaType {
    /// What a file is whose name is not known to say it (RFC 2046 section 4.5.1).
    static let unknown = "application/octet-stream"

    /// What a file of that name is, by the name's extension in any case.
    static func named(of filename: String) -> String {
        let parts = filename.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, let last = parts.last else { return unknown }
        return types[last.lowercased()] ?? unknown
    }

    /// Text has no charset: what one a file is in, its name does not say.
    private static let types: [String: String] = [
        // Text.
        "css": "text/css", "csv": "text/csv", "htm": "text/html", "html": "text/html", "ics": "text/calendar",
        "js": "text/javascript", "log": "text/plain", "md": "text/markdown", "mjs": "text/javascript",
        "tsv": "text/tab-separated-values", "txt": "text/plain", "vcf": "text/vcard", "vtt": "text/vtt",
        // Data.
        "cbor": "application/cbor", "geojson": "application/geo+json", "gpx": "application/gpx+xml",
        "json": "application/json", "jsonl": "application/x-ndjson", "ndjson": "application/x-ndjson",
        "plist": "application/x-plist", "sqlite": "application/vnd.sqlite3", "wasm": "application/wasm",
        "xml": "application/xml", "yaml": "application/yaml", "yml": "application/yaml",
        // Images.
        "apng": "image/apng", "avif": "image/avif", "bmp": "image/bmp", "dng": "image/x-adobe-dng", "gif": "image/gif",
        "heic": "image/heic", "heif": "image/heif", "ico": "image/x-icon", "jpeg": "image/jpeg", "jpg": "image/jpeg",
        "png": "image/png", "svg": "image/svg+xml", "tif": "image/tiff", "tiff": "image/tiff", "webp": "image/webp",
        // Sound and film.
        "3gp": "video/3gpp", "aac": "audio/aac", "aiff": "audio/aiff", "avi": "video/x-msvideo", "caf": "audio/x-caf",
        "flac": "audio/flac", "m4a": "audio/mp4", "m4v": "video/x-m4v", "mkv": "video/x-matroska",
        "mov": "video/quicktime", "mp3": "audio/mpeg", "mp4": "video/mp4", "mpeg": "video/mpeg", "oga": "audio/ogg",
        "ogg": "audio/ogg", "ogv": "video/ogg", "opus": "audio/opus", "wav": "audio/wav", "weba": "audio/webm",
        "webm": "video/webm",
        // Documents, fonts and archives.
        "7z": "application/x-7z-compressed", "bz2": "application/x-bzip2", "doc": "application/msword",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "epub": "application/epub+zip", "gz": "application/gzip", "otf": "font/otf", "pdf": "application/pdf",
        "ppt": "application/vnd.ms-powerpoint",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation", "rtf": "application/rtf",
        "tar": "application/x-tar", "ttf": "font/ttf", "woff": "font/woff", "woff2": "font/woff2",
        "xls": "application/vnd.ms-excel",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "zip": "application/zip",
        "zst": "application/zstd",
    ]
}
