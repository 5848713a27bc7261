// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The format of a body, which determines how to find values by their names.
enum BodyKind: Sendable, Hashable {
    /// Content without named values, such as an image.
    case opaque
    /// Text or an unknown type. It is read as JSON if it starts like JSON.
    case unknown
    case json
    /// One JSON text per line.
    case jsonLines
    case form
    case eventStream
    /// Parts separated by lines with this boundary.
    case multipart(boundary: [UInt8])

    /// Creates the kind for a Content-Type value. Without one, the kind is unknown.
    init(contentType: [UInt8]?) {
        self.init(MediaType(contentType ?? []))
    }

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
    /// Whether the type is an image, audio, video or a font.
    var isMedia: Bool {
        ["image/", "audio/", "video/", "font/"].contains { essence.starts(with: $0.utf8) }
            && !essence.elementsEqual("image/svg+xml".utf8)
    }

    /// Whether the type is a script, or a page that can contain scripts.
    var isScript: Bool { Self.scripts.contains(essence) }

    private static let scripts = Set(
        [
            "text/html", "application/xhtml+xml", "text/css", "text/javascript", "application/javascript",
            "application/x-javascript", "text/ecmascript", "application/ecmascript",
        ].map { Array($0.utf8) }
    )

    /// The declared encoding, if it has wide characters.
    var wideEncoding: TextEncoding? { parameter("charset").flatMap { TextEncoding(charset: $0) } }

    /// Whether the type names UTF-7 (RFC 2152), in which secrets cannot be found.
    var isUTF7: Bool {
        parameter("charset").map { $0.map(\.asciiLowercased).starts(with: "utf-7".utf8) } ?? false
    }
}
