// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Call {
    /// Sends a value as JSON.
    ///
    /// Content-Type is `application/json`, unless the call sets it. If the value cannot be encoded, for example
    /// because it contains a NaN, the call fails when it is sent.
    ///
    /// - Parameters:
    ///   - value: The value to send. It is encoded immediately.
    ///   - encoder: The encoder, or nil for the client's. The default is nil.
    public consuming func json(_ value: some Encodable, encoder: (any RequestEncoder)? = nil) -> Call {
        encoding(value, encoder)
    }

    /// Sends a JSON value, such as a literal whose values have different types.
    ///
    /// ```swift
    /// let call = api.post("/books").json(["title": "Atlas", "pages": 96, "tags": ["maps", 3]])
    /// ```
    ///
    /// See ``json(_:encoder:)-(Encodable,_)``.
    @_disfavoredOverload
    public consuming func json(_ value: JSONValue, encoder: (any RequestEncoder)? = nil) -> Call {
        encoding(value, encoder)
    }

    /// Sends a JSON object whose values have different types: `.json(["title": title, "pages": 96])`.
    ///
    /// See ``json(_:encoder:)-(Encodable,_)``.
    @_disfavoredOverload
    public consuming func json(_ object: [String: any Encodable], encoder: (any RequestEncoder)? = nil) -> Call {
        encoding(object.mapValues(ErasedEncodable.init), encoder)
    }

    /// Sends the parameters of a form, in order. Parameters with a nil value are left out.
    ///
    /// The parameters are encoded as the URL standard specifies: a space becomes a plus sign, and everything except
    /// letters, digits, and `*-._` is escaped. Content-Type is `application/x-www-form-urlencoded`, unless the call
    /// sets it.
    public consuming func form(_ parameters: KeyValuePairs<String, (any ParameterValue)?>) -> Call {
        var pairs: [ParameterPair] = []
        for (name, value) in parameters {
            guard let value else { continue }
            do {
                pairs.append(ParameterPair(name, [try text(of: value)]))
            } catch {
                return failing(parameter: name, error)
            }
        }
        return body(Body(pairs.escaped(.form)), contentType: ComposedBody.form([]).contentType)
    }

    /// Sends a body.
    ///
    /// If the call already has a body of any kind, it fails with ``ClientError/Code/bodyConflict`` when it is sent.
    ///
    /// - Parameters:
    ///   - body: The content.
    ///   - contentType: The value of Content-Type, unless the call sets it. Nil adds no Content-Type.
    public consuming func body(_ body: Body, contentType: String? = nil) -> Call {
        guard self.body == nil else {
            return failing(ClientError.twoBodies)
        }
        self.body = body
        bodyType = contentType
        return self
    }

    /// Sends bytes.
    public consuming func body(_ bytes: [UInt8], contentType: String? = nil) -> Call {
        body(Body(bytes), contentType: contentType)
    }

    /// Sends text, encoded as UTF-8.
    public consuming func body(_ text: String, contentType: String? = nil) -> Call {
        body(Body(text), contentType: contentType)
    }

    /// Sends data.
    public consuming func body(_ data: Data, contentType: String? = nil) -> Call {
        body(Body(Array(data)), contentType: contentType)
    }

    /// Sends a file, which is read piece by piece while it is sent.
    ///
    /// A file of any size takes little memory. If the file cannot be read, or changes after this method is called,
    /// the call fails with ``ClientError/Code/file``. See ``Body/init(file:)``.
    ///
    /// - Parameters:
    ///   - url: The URL of the file.
    ///   - contentType: The value of Content-Type, unless the call sets it. If nil, the type is derived from the file
    ///     name extension and falls back to `application/octet-stream`.
    public consuming func body(file url: URL, contentType: String? = nil) -> Call {
        do throws(ClientError) {
            let type = contentType ?? ContentType.named(byFilename: url.lastPathComponent)
            return body(try Body(file: url), contentType: type)
        } catch {
            return failing(error)
        }
    }

    /// Sends the parts of a form, in order (RFC 7578): fields, files, and data.
    ///
    /// ```swift
    /// let call = api.post("/photos").multipart {
    ///     $0.field("title", "Sunset")
    ///     $0.file("photo", photo)
    /// }
    /// ```
    ///
    /// Files are read piece by piece while they are sent. Further calls of this method add more parts, and
    /// ``parameters(_:as:)`` adds fields. If the form has no parts, the call fails with
    /// ``ClientError/Code/multipart``. It fails the same way if it sets Content-Type, because the server needs the
    /// form's boundary in that field.
    ///
    /// - Parameter build: A closure that adds the parts.
    public consuming func multipart(_ build: (inout MultipartForm) throws -> Void) rethrows -> Call {
        var call = self
        var form = MultipartForm(encoder: call.client.shared.configuration.encoder)
        switch call.composedBody {
        case .multipart(let first): form = first
        case .form(let pairs): form = form.adding(pairs)
        case .json, nil: break
        }
        try build(&form)
        do {
            if case .json = call.composedBody { throw ClientError.twoBodies }
            try call.compose(.multipart(form))
            return call
        } catch {
            return call.failing(error)
        }
    }

    /// Sends a body that is produced while it is sent.
    ///
    /// - Parameters:
    ///   - chunks: The content, in chunks of bytes. The next chunk is requested when the previous one has been handed
    ///     to the network.
    ///   - length: The number of bytes, or nil if unknown.
    ///   - contentType: The value of Content-Type, unless the call sets it. Nil adds no Content-Type.
    public consuming func body<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks,
        length: Int? = nil,
        contentType: String? = nil
    ) -> Call where Chunks.Element: Sequence<UInt8> {
        body(Body(chunks, length: length), contentType: contentType)
    }
}

extension Call {
    /// Sends a sequence of bytes, in pieces of 16 KiB.
    ///
    /// - Parameters:
    ///   - bytes: The content. More bytes are requested when the previous piece has been handed to the network.
    ///   - length: The number of bytes, or nil if unknown.
    ///   - contentType: The value of Content-Type, unless the call sets it. Nil adds no Content-Type.
    public consuming func body<Bytes: AsyncSequence & Sendable>(
        _ bytes: Bytes,
        length: Int? = nil,
        contentType: String? = nil
    ) -> Call where Bytes.Element == UInt8 {
        body(Body(bytes, length: length), contentType: contentType)
    }
}

extension Call {
    private consuming func encoding(_ value: some Encodable, _ encoder: (any RequestEncoder)?) -> Call {
        do {
            let data = try (encoder ?? client.configuration.encoder).encode(value)
            return body(Body(Array(data)), contentType: "application/json")
        } catch {
            let why = (error as? EncodingError)?.report ?? "\(error)"
            return failing(
                .invalidParameters,
                "\(type(of: value)) cannot be sent as JSON: \(why)",
                underlying: error
            )
        }
    }
}

/// A value of any type, encoded like the value itself.
private struct ErasedEncodable: Encodable {
    let value: any Encodable

    func encode(to encoder: any Encoder) throws {
        // An encoder applies its strategies, such as the one for dates, only to values that a container encodes.
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

extension EncodingError {
    /// The location of the failure and its reason.
    var report: String {
        switch self {
        case .invalidValue(let value, let context):
            "at \(context.codingPath.text): \(value) is not allowed there; \(context.debugDescription)"
        @unknown default:
            "\(self)"
        }
    }
}
