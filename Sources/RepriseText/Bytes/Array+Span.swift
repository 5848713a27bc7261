// SPDX-License-Identifier: Apache-2.0

extension Array {
    /// The elements as a span.
    ///
    /// This property replaces the standard library's `span`, which requires version 26 of Apple's systems, in files
    /// that import this module. The `span` of a slice is available on all systems.
    @inlinable
    package var span: Span<Element> {
        @_lifetime(borrow self)
        borrowing get {
            let elements = self[...]
            // The slice is not a copy: its elements live as long as the array's.
            return unsafe _overrideLifetime(elements.span, borrowing: self)
        }
    }
}

extension [UInt8] {
    /// Creates an array from the bytes of a span.
    @inlinable
    package init(bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }

    /// Appends the bytes of a span.
    @inlinable
    package mutating func append(bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }

    /// Creates an array from the bytes of a span, in lower case.
    @inlinable
    package init(lowercasing bytes: Span<UInt8>) {
        self.init(bytes: bytes)
        for index in indices { self[index] = self[index].asciiLowercased }
    }
}
