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
    /// Content-Type is `application/json`, unless the call says otherwise. What cannot be encoded, such as a NaN,
    /// fails when the call is sent.
    ///
    /// - Parameters:
    ///   - value: what to send. It is encoded here and now.
    ///   - encoder: what encodes it; nil for the client's.
    public consuming func json(_ value: some Encodable, encoder: (any RequestEncoder)? = nil) -> Call {
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

    /// Sends the parameters of a form, in order; those of nil are left out.
    ///
    /// As the URL standard has it: a space is a plus sign, and all but letters, digits and `*-._` is escaped.
    /// Content-Type is `application/x-www-form-urlencoded`, unless the call says otherwise.
    public consuming func form(_ parameters: KeyValuePairs<String, (any ParameterValue)?>) -> Call {
        var pairs: [ParameterPair] = []
        for (name, value) in parameters {
            guard let value else { continue }
            do {
                pairs.append(ParameterPair(name, [try value.parameterText]))
            } catch {
                return failing(parameter: name, error)
            }
        }
        return body(Body(pairs.escaped(.form)), contentType: ComposedBody.form([]).contentType)
    }

    /// Sends a body.
    ///
    /// A second one, of whatever kind, fails with ``ClientError/Code/bodyConflict`` when the call is sent.
    ///
    /// - Parameters:
    ///   - body: the content.
    ///   - contentType: what it is, unless the call has a Content-Type; nil for none.
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

    /// Sends text, as UTF-8.
    public consuming func body(_ text: String, contentType: String? = nil) -> Call {
        body(Body(text), contentType: contentType)
    }

    /// Sends data.
    public consuming func body(_ data: Data, contentType: String? = nil) -> Call {
        body(Body(Array(data)), contentType: contentType)
    }

    /// Sends a file, which is read piece by piece while it is sent: one of any size takes little memory.
    ///
    /// One that cannot be read, or that is not what it was when the call was made by the time it is sent, fails with
    /// ``ClientError/Code/file``. See ``Body/init(file:)``.
    ///
    /// - Parameters:
    ///   - url: where the file is.
    ///   - contentType: what it is, unless the call has a Content-Type; nil for what its name's extension stands for, or
    ///     else `application/octet-stream`.
    public consuming func body(file url: URL, contentType: String? = nil) -> Call {
        do throws(ClientError) {
            let type = contentType ?? ContentType.named(byFilename: url.lastPathComponent)
            return body(try Body(file: url), contentType: type)
        } catch {
            return failing(error)
        }
    }

    /// Sends the parts of a form, in order (RFC 7578): fields, files and data.
    ///
    /// ```swift
    /// let call = api.post("/photos").multipart {
    ///     $0.field("title", "Sunset")
    ///     $0.file("photo", photo)
    /// }
    /// ```
    ///
    /// Files are read piece by piece while they are sent. Called again, it adds more parts; ``parameters(_:as:)`` adds
    /// fields. A form without a part, and a Content-Type set by hand, fail with ``ClientError/Code/multipart``, as the
    /// server needs the boundary in it.
    ///
    /// - Parameter build: adds the parts.
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

    /// Sends what comes, as it comes.
    ///
    /// - Parameters:
    ///   - chunks: the content, in chunks of bytes. The next one is asked for when the last one is on its way.
    ///   - length: how many bytes there will be; nil if that is not known.
    ///   - contentType: what it is, unless the call has a Content-Type; nil for none.
    public consuming func body<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks,
        length: Int? = nil,
        contentType: String? = nil
    ) -> Call where Chunks.Element: Sequence<UInt8> {
        body(Body(chunks, length: length), contentType: contentType)
    }
}

extension Call {
    /// Sends bytes that come one by one, in pieces of 16 KiB.
    ///
    /// - Parameters:
    ///   - bytes: the content. More is asked for when the last piece is on its way.
    ///   - length: how many bytes there will be; nil if that is not known.
    ///   - contentType: what it is, unless the call has a Content-Type; nil for none.
    public consuming func body<Bytes: AsyncSequence & Sendable>(
        _ bytes: Bytes,
        length: Int? = nil,
        contentType: String? = nil
    ) -> Call where Bytes.Element == UInt8 {
        body(Body(bytes, length: length), contentType: contentType)
    }
}

extension EncodingError {
    /// Where it went wrong and why.
    var report: String {
        switch self {
        case .invalidValue(let value, let context):
            "at \(context.codingPath.text): \(value) is not allowed there; \(context.debugDescription)"
        @unknown default:
            "\(self)"
        }
    }
}
