// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The parts of a `multipart/form-data` body (RFC 7578), in order, for ``Call/multipart(_:)``.
///
/// ```swift
/// try await api.post("/photos").multipart {
///     $0.field("title", "Sunset")
///     $0.file("photo", photo)
///     $0.data("thumbnail", thumbnail, filename: "thumbnail.png")
/// }
/// .send()
/// ```
///
/// Adding a part never replaces another one: two parts can have the same name. In names and file names, a quotation
/// mark is written `%22`, a CR `%0D`, and an LF `%0A`, as browsers do (WHATWG HTML, multipart/form-data encoding
/// algorithm). Other control characters are escaped the same way. A backslash is doubled, as quoted strings require
/// (RFC 9110 section 5.6.4), because a single one at the end would escape the closing quotation mark. All other text
/// is sent as UTF-8, and contents are sent unchanged.
public struct MultipartForm: Sendable {
    /// The boundary, which is random so that no content contains it (RFC 2046 section 5.1.1).
    let boundary: String
    private let encoder: any RequestEncoder
    private(set) var parts: [Part] = []
    /// The first error, which the call throws.
    private(set) var problem: ClientError?

    struct Part: Sendable {
        let name: String
        let filename: String?
        let type: String?
        var body: Body
    }

    init(boundary: String = Self.randomBoundary(), encoder: any RequestEncoder = .json) {
        self.boundary = boundary
        self.encoder = encoder
    }

    /// Adds a field, or nothing if the value is nil.
    public mutating func field(_ name: String, _ value: (any ParameterValue)?) {
        guard let value else { return }
        do {
            add(name, Body(try value.parameterText))
        } catch {
            let why = (error as? ClientError)?.message ?? "\(error)"
            fail(.invalidParameters, "field \(name.debugDescription): \(why)", underlying: error)
        }
    }

    /// Adds a file, which is read piece by piece as it is sent. See ``Body/init(file:)``.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - url: The location of the file. If it cannot be read, the call fails with ``ClientError/Code/file``.
    ///   - filename: The file name sent to the server, or nil for the last path component of the URL.
    ///   - type: The media type, or nil to derive it from the file extension. The fallback is
    ///     `application/octet-stream`.
    public mutating func file(_ name: String, _ url: URL, filename: String? = nil, type: String? = nil) {
        do throws(ClientError) {
            let filename = filename ?? url.lastPathComponent
            add(
                name,
                try Body(file: url),
                filename: filename,
                type: type ?? ContentType.named(byFilename: url.lastPathComponent)
            )
        } catch {
            fail(error.code, "part \(name.debugDescription): \(error.message)", underlying: error.underlying)
        }
    }

    /// Adds a part with the given bytes.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - bytes: The content.
    ///   - filename: The file name sent to the server, or nil if the part is not a file.
    ///   - type: The media type, or nil to derive it from the extension of the file name. The fallback is
    ///     `application/octet-stream`.
    public mutating func data(_ name: String, _ bytes: [UInt8], filename: String? = nil, type: String? = nil) {
        part(name, Body(bytes), filename: filename, type: type ?? ContentType.named(byFilename: filename ?? ""))
    }

    /// Adds a part with the given data.
    public mutating func data(_ name: String, _ data: Data, filename: String? = nil, type: String? = nil) {
        self.data(name, Array(data), filename: filename, type: type)
    }

    /// Adds a part with a value encoded as JSON.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: The value to send. It is encoded immediately, and the call fails if it cannot be encoded.
    ///   - encoder: The encoder, or nil for the client's encoder.
    public mutating func json(_ name: String, _ value: some Encodable, encoder: (any RequestEncoder)? = nil) {
        do {
            add(name, Body(Array(try (encoder ?? self.encoder).encode(value))), type: "application/json")
        } catch {
            let why = (error as? EncodingError)?.report ?? "\(error)"
            let message = "part \(name.debugDescription) cannot be encoded as JSON: \(why)"
            fail(.invalidParameters, message, underlying: error)
        }
    }

    /// Adds a part with any content, such as a stream. If its length is unknown, so is the length of the whole body.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - body: The content.
    ///   - filename: The file name sent to the server, or nil if the part is not a file.
    ///   - type: The media type, or nil to send none, which means `text/plain` (RFC 7578 section 4.4).
    public mutating func part(_ name: String, _ body: Body, filename: String? = nil, type: String? = nil) {
        add(name, body, filename: filename, type: type)
    }

    /// The form with `[redacted]` in place of secrets.
    var withoutSecrets: MultipartForm {
        var form = self
        for index in form.parts.indices where form.parts[index].body.isInMemory {
            let part = form.parts[index]
            let value = (part.body.inMemory ?? [])[...]
            let isSecret = SecretNames.shown.hides(value.span, of: part.name, in: .form)
            form.parts[index].body = isSecret ? Body(RedactionMarker.plain) : part.body.withoutSecrets(type: part.type)
        }
        return form
    }

    private mutating func add(_ name: String, _ body: Body, filename: String? = nil, type: String? = nil) {
        if let type, type.isEmpty || !type.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
            return fail(
                .multipart,
                "part \(name.debugDescription): expected a media type, found \(type.debugDescription)"
            )
        }
        parts.append(Part(name: name, filename: filename, type: type, body: body))
    }

    private mutating func fail(_ code: ClientError.Code, _ message: String, underlying: (any Error)? = nil) {
        if problem == nil { problem = ClientError(code, message, underlying: underlying) }
    }
}
