// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension Call {
    /// Sets a header field; one of the same name is replaced, the client's too.
    ///
    /// A value with a control character, such as a line break, fails when the call is sent; so does a pseudo-header
    /// (RFC 9113 section 8.3).
    public consuming func header(_ name: HTTPField.Name, _ value: String) -> Call {
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

    /// Sets a header field by its name in text.
    ///
    /// A name that is no token (RFC 9110 section 5.1) fails when the call is sent.
    public consuming func header(_ name: String, _ value: String) -> Call {
        guard let known = HTTPField.Name(name) else { return failing(invalidName: name) }
        return header(known, value)
    }

    private consuming func failing(invalidName name: String) -> Call {
        failing(
            .invalidParameters,
            "\(name.debugDescription) is no header name: expected letters, digits and !#$%&'*+-.^_`|~"
        )
    }

    /// Sets many header fields, each name with all of its fields; those of the same names are replaced.
    ///
    /// A line break in a value is a space by then: HTTPTypes puts one for each CR, LF and NUL when the field is made
    /// (RFC 9110 section 5.5). ``header(_:_:)-(HTTPField.Name,_)`` refuses such a value instead.
    public consuming func headers(_ fields: HTTPFields) -> Call {
        headers.merge(fields)
        return self
    }

    /// Sets many header fields by their names in text, in the order of the names.
    public consuming func headers(_ fields: [String: String]) -> Call {
        var call = self
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) { call = call.header(name, value) }
        return call
    }

    /// Sets Accept: what the response may be (RFC 9110 section 12.5.1).
    public consuming func accept(_ mediaType: String) -> Call {
        header(.accept, mediaType)
    }

    /// Sets Content-Type: what the body is, whatever the body's own modifier says.
    public consuming func contentType(_ mediaType: String) -> Call {
        header(.contentType, mediaType)
    }
}
