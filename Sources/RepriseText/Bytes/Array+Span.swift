// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
    /// The bytes of a span.
    package init(bytes: Span<UInt8>) {
        self.init(repeating: 0, count: bytes.count)
        var copy = mutableSpan
        for index in bytes.indices { copy[index] = bytes[index] }
    }

    /// The bytes of a span in lower case.
    package init(lowercasing bytes: Span<UInt8>) {
        self.init(repeating: 0, count: bytes.count)
        var copy = mutableSpan
        for index in bytes.indices { copy[index] = bytes[index].asciiLowercased }
    }
}
