// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension Call {
    /// Sets a header field, replacing any field of the same name, including the client's. If the value is nil, the
    /// call is unchanged.
    ///
    /// If the value contains a control character, such as a line break, or the field is a pseudo-header field (RFC
    /// 9113 section 8.3), the call fails when it is sent.
    public consuming func header(_ name: HTTPField.Name, _ value: String?) -> Call {
        guard let value else { return self }
        guard name.rawName.utf8.first != UInt8(ascii: ":") else { return failing(invalidName: name.rawName) }
        guard value.utf8.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }) else {
            return failing(
                .invalidParameters,
                "the header \(name) has a control character in its value "
                    + "\(name.isCredential ? RedactionMarker.plain : value.debugDescription): RFC 9110 section 5.5 forbids it"
            )
        }
        headers.removeAll { $0.name == name }
        headers.append(HTTPField(name: name, value: value))
        return self
    }

    /// Sets a header field by its name as text. If the value is nil, the call is unchanged.
    ///
    /// If the name is not a token (RFC 9110 section 5.1), the call fails when it is sent.
    public consuming func header(_ name: String, _ value: String?) -> Call {
        guard let known = HTTPField.Name(name) else { return failing(invalidName: name) }
        return header(known, value)
    }

    private consuming func failing(invalidName name: String) -> Call {
        failing(
            .invalidParameters,
            "expected a header name of letters, digits and !#$%&'*+-.^_`|~, found \(name.debugDescription)"
        )
    }

    /// Sets several header fields, replacing all fields of the same names.
    ///
    /// HTTPTypes replaces each CR, LF, and NUL in a value with a space when the field is created (RFC 9110 section
    /// 5.5), so the call does not fail. ``header(_:_:)-(HTTPField.Name,_)`` rejects such a value instead.
    public consuming func headers(_ fields: HTTPFields) -> Call {
        headers.merge(fields)
        return self
    }

    /// Sets several header fields by their names as text, in the order of the names.
    public consuming func headers(_ fields: [String: String]) -> Call {
        var call = self
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) { call = call.header(name, value) }
        return call
    }

    /// Sets Authorization to a user and a password (RFC 7617), in UTF-8.
    ///
    /// If the user contains a colon, or either contains a control character, the call fails when it is sent.
    public consuming func basicAuthorization(user: String, password: String) -> Call {
        let text = Array("\(user):\(password)".utf8)
        guard !user.utf8.contains(UInt8(ascii: ":")), text.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            return failing(
                .invalidParameters,
                "expected a user without a colon, and a user and a password without control characters (RFC 7617 section 2)"
            )
        }
        return header(.authorization, "Basic \(Base64.text(text))")
    }

    /// Sets Accept, the media type that the response may have (RFC 9110 section 12.5.1).
    public consuming func accept(_ mediaType: String) -> Call {
        header(.accept, mediaType)
    }

    /// Sets Content-Type, overriding the type from the modifier that sets the body.
    public consuming func contentType(_ mediaType: String) -> Call {
        header(.contentType, mediaType)
    }
}
