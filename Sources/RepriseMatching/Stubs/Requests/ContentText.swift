// SPDX-License-Identifier: Apache-2.0

private import RepriseContentCoding
import RepriseText

/// The content of a request as conditions see it: without gzip, and in UTF-8.
enum ContentText {
    /// Whether content is compressed with gzip: if that is its only coding, or if it starts as gzip does.
    static func isCompressed(_ content: [UInt8], _ headers: RequestPairs) -> Bool {
        guard !content.isEmpty else { return false }
        if content.starts(with: [0x1F, 0x8B]) { return true }
        let coding = headers.values(named: Array("content-encoding".utf8)).first
        return coding.map { $0.map(\.asciiLowercased) == Array("gzip".utf8) } == true
    }

    /// Returns content without gzip. Content that is invalid, or larger than
    /// ``DecodedRequest/maximumDecodedSize``, is left as it is.
    static func decompressed(_ content: [UInt8]) -> [UInt8] {
        Inflater.decoded(content, .gzip, limit: DecodedRequest.maximumDecodedSize) ?? content
    }

    /// Returns the text in UTF-8, if its type names another charset that is known.
    static func inUTF8(_ content: ArraySlice<UInt8>, _ type: MediaType?) -> ArraySlice<UInt8> {
        guard let name = type?.parameter("charset"), !content.isEmpty,
            content.count <= DecodedRequest.maximumParsedSize, let charset = Charset(name),
            let text = charset.decoded(content)
        else { return content }
        return text[...]
    }
}
