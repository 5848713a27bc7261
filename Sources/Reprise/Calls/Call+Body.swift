// SPDX-License-Identifier: Apache-2.0

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
        var text = ""
        for (name, value) in parameters {
            guard let value else { continue }
            do {
                let pair = try "\(URLPart.form.escape(name))=\(URLPart.form.escape(value.parameterText))"
                text += text.isEmpty ? pair : "&\(pair)"
            } catch {
                return failing(parameter: name, error)
            }
        }
        return body(Body(text), contentType: "application/x-www-form-urlencoded")
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
            return failing(.bodyConflict, "the call has two bodies: one of them has to go")
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
