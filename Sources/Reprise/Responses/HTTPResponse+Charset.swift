// SPDX-License-Identifier: Apache-2.0

internal import RepriseContentCoding
internal import RepriseText

extension HTTPResponse {
    /// Returns the charset that Content-Type names for text, or nil for UTF-8 and for none.
    ///
    /// - Throws: ``ClientError/Code/decoding`` if the charset is unknown, or if it cannot be split into lines and
    ///   `inLines` is true.
    func charset(inLines: Bool = false) throws(ClientError) -> Charset? {
        guard let name = headerFields[.contentType].flatMap({ MediaType($0).parameter("charset") }),
            !Charset.isUTF8(name)
        else { return nil }
        let charset = Charset(name)
        if let charset, !inLines || !charset.isWide { return charset }
        throw ClientError(
            .decoding,
            "cannot read text in the charset \(String(decoding: name, as: UTF8.self).debugDescription): expected "
                + "\(charset == nil ? "UTF-8 or another charset that is known here" : "a charset that contains ASCII"); "
                + "read the bytes instead",
            response: BufferedResponse(self)
        )
    }
}

extension BufferedResponse {
    /// Returns the content as text in its charset.
    ///
    /// - Throws: ``ClientError/Code/decoding`` if the charset is unknown, or if the content is not in it.
    func decodedText() throws(ClientError) -> String {
        guard let charset = try head.charset() else { return String(decoding: bytes, as: UTF8.self) }
        if let text = charset.text(bytes) { return text }
        let type = headers[.contentType] ?? ""
        throw ClientError(.decoding, "the content is not in the charset of its type, \(type)", response: self)
    }
}
