// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// What is inside a body, as far as it tells where secrets have names.
enum BodyKind: Sendable, Hashable {
    /// Nothing with names in it, such as an image.
    case opaque
    /// Text, or nobody knows: JSON if it starts like it.
    case unknown
    case json
    /// JSON texts, one a line.
    case jsonLines
    case form
    case eventStream
    /// Parts between lines with this boundary.
    case multipart(boundary: [UInt8])

    /// What a body with a Content-Type is; without one, nobody knows.
    init(contentType: [UInt8]?) {
        self.init(MediaType(contentType ?? []))
    }

    /// What a body of that type is.
    init(_ type: MediaType) {
        if type.isEventStream {
            self = .eventStream
        } else if type.isJSONLines {
            self = .jsonLines
        } else if type.isJSON {
            self = .json
        } else if type.isForm {
            self = .form
        } else if type.isMultipart, let boundary = type.parameter("boundary"), 1...200 ~= boundary.count {
            self = .multipart(boundary: boundary)
        } else {
            self = type.isMedia ? .opaque : .unknown
        }
    }
}

extension MediaType {
    /// Pictures, sound, film and fonts.
    var isMedia: Bool {
        ["image/", "audio/", "video/", "font/"].contains { essence.starts(with: $0.utf8) }
            && !essence.elementsEqual("image/svg+xml".utf8)
    }

    /// Programs, and pages that hold some.
    var isScript: Bool { Self.scripts.contains(essence) }

    private static let scripts = Set(
        [
            "text/html", "application/xhtml+xml", "text/css", "text/javascript", "application/javascript",
            "application/x-javascript", "text/ecmascript", "application/ecmascript",
        ].map { Array($0.utf8) }
    )

    /// Whether it names a character encoding that is not made of the bytes of ASCII, so that nobody finds anything there.
    var hasWideCharacters: Bool {
        guard let charset = parameter("charset") else { return false }
        let name = charset.map(\.asciiLowercased)
        return ["utf-16", "utf16", "utf-32", "utf32", "ucs-2", "ucs-4", "utf-7"].contains { name.starts(with: $0.utf8) }
    }
}
