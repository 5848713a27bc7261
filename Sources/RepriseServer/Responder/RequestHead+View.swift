// SPDX-License-Identifier: Apache-2.0

internal import RepriseText
internal import RepriseWire

extension RequestHead {
    /// The ranges of the parts that matching compares.
    var ranges: RequestView.Ranges {
        RequestView.Ranges(
            method: method,
            path: path,
            query: query,
            authority: host,
            headerLines: (fields.first?.name.lowerBound ?? length)..<length,
            scheme: scheme
        )
    }

    func isHead(in bytes: Span<UInt8>) -> Bool {
        method.count == 4 && bytes[method.lowerBound] == UInt8(ascii: "H") && bytes.text(method) == "HEAD"
    }

    func isGet(in bytes: Span<UInt8>) -> Bool { method.count == 3 && bytes.text(method) == "GET" }

    func isOptions(in bytes: Span<UInt8>) -> Bool {
        method.count == 7 && bytes[method.lowerBound] == UInt8(ascii: "O") && bytes.text(method) == "OPTIONS"
    }
}

extension Span<UInt8> {
    /// The bytes of `range` as text. Invalid UTF-8 becomes U+FFFD.
    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes(range), as: UTF8.self)
    }

    func bytes(_ range: Range<Int>) -> [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(range.count)
        for index in range { copy.append(self[index]) }
        return copy
    }
}
