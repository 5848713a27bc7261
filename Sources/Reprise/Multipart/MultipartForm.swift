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
/// Names are not replaced: two parts may have the same one. In names and file names a quotation mark is `%22`, a CR
/// `%0D` and an LF `%0A`, as browsers have it (WHATWG HTML, multipart/form-data encoding algorithm), other control
/// characters likewise; a backslash is doubled, as a quoted string needs it (RFC 9110 section 5.6.4), or one at the end
/// would take the closing quotation mark with it. All else is UTF-8 as it is. Contents go out byte by byte as they are.
public struct MultipartForm: Sendable {
    /// Random, so that it is in no content (RFC 2046 section 5.1.1).
    let boundary: String
    private let encoder: any RequestEncoder
    private(set) var parts: [Part] = []
    /// What was wrong first.
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

    /// Adds a field; nil is left out.
    public mutating func field(_ name: String, _ value: (any ParameterValue)?) {
        guard let value else { return }
        do {
            add(name, Body(try value.parameterText))
        } catch {
            let why = (error as? ClientError)?.message ?? "\(error)"
            fail(.invalidParameters, "the field \(name.debugDescription): \(why)", underlying: error)
        }
    }

    /// Adds a file, which is read piece by piece while it is sent. See ``Body/init(file:)``.
    ///
    /// - Parameters:
    ///   - name: the field's name.
    ///   - url: where the file is. One that cannot be read fails the call with ``ClientError/Code/file``.
    ///   - filename: what the server is told that it is called; nil for the URL's last part.
    ///   - type: its media type; nil for what its name's extension stands for, or else `application/octet-stream`.
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
            fail(error.code, "the part \(name.debugDescription): \(error.message)", underlying: error.underlying)
        }
    }

    /// Adds bytes.
    ///
    /// - Parameters:
    ///   - name: the field's name.
    ///   - bytes: the content.
    ///   - filename: what the server is told that it is called; nil for a part that is no file.
    ///   - type: its media type; nil for what the file name's extension stands for, or else `application/octet-stream`.
    public mutating func data(_ name: String, _ bytes: [UInt8], filename: String? = nil, type: String? = nil) {
        part(name, Body(bytes), filename: filename, type: type ?? ContentType.named(byFilename: filename ?? ""))
    }

    /// Adds data.
    public mutating func data(_ name: String, _ data: Data, filename: String? = nil, type: String? = nil) {
        self.data(name, Array(data), filename: filename, type: type)
    }

    /// Adds a value as JSON.
    ///
    /// - Parameters:
    ///   - name: the field's name.
    ///   - value: what to send. It is encoded here and now; what cannot be encoded fails the call.
    ///   - encoder: what encodes it; nil for the client's.
    public mutating func json(_ name: String, _ value: some Encodable, encoder: (any RequestEncoder)? = nil) {
        do {
            add(name, Body(Array(try (encoder ?? self.encoder).encode(value))), type: "application/json")
        } catch {
            let why = (error as? EncodingError)?.report ?? "\(error)"
            fail(.invalidParameters, "the part \(name.debugDescription) cannot be JSON: \(why)", underlying: error)
        }
    }

    /// Adds any content: a stream, say. If its length is not known, neither is the body's.
    ///
    /// - Parameters:
    ///   - name: the field's name.
    ///   - body: the content.
    ///   - filename: what the server is told that it is called; nil for a part that is no file.
    ///   - type: its media type; nil for none, which is `text/plain` (RFC 7578 section 4.4).
    public mutating func part(_ name: String, _ body: Body, filename: String? = nil, type: String? = nil) {
        add(name, body, filename: filename, type: type)
    }

    /// The same form with `[redacted]` for what lets someone in.
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
            return fail(.multipart, "the part \(name.debugDescription): \(type.debugDescription) is no media type")
        }
        parts.append(Part(name: name, filename: filename, type: type, body: body))
    }

    private mutating func fail(_ code: ClientError.Code, _ message: String, underlying: (any Error)? = nil) {
        if problem == nil { problem = ClientError(code, message, underlying: underlying) }
    }
}
