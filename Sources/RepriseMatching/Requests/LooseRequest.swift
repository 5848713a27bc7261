// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A request without the parts that are not compared. What stands for them here stands for them in the index too, so
/// that looser matching is the same look-up, and takes as long whatever the number of fixtures.
struct LooseRequest {
    /// Stands for any method.
    static let anyMethod = Array("GET".utf8)
    /// Stands for any path.
    static let anyPath = Array("/".utf8)

    /// The bytes that the parts are in.
    let head: [UInt8]
    /// Where the parts are.
    let parts: RequestParts

    /// The request of `head` and `parts`, of which only `fields` are compared.
    init(_ head: Span<UInt8>, _ parts: RequestParts, _ fields: MatchingOptions.Fields) {
        var bytes: [UInt8] = []
        func append(_ part: [UInt8]) -> Range<Int> {
            let start = bytes.count
            bytes.append(contentsOf: part)
            return start..<bytes.count
        }
        func copy(_ range: Range<Int>?) -> Range<Int>? {
            range.map { append([UInt8](bytes: head.extracting($0))) }
        }
        self.parts = RequestParts(
            method: (fields.contains(.method) ? copy(parts.method) : nil) ?? append(Self.anyMethod),
            path: (fields.contains(.path) ? copy(parts.path) : nil) ?? append(Self.anyPath),
            query: fields.contains(.query) ? copy(parts.query) : nil,
            host: copy(parts.host),
            contentType: copy(parts.contentType),
            headerValues: parts.headerValues,
            isBodyKnown: parts.isBodyKnown
        )
        self.head = bytes
    }
}
