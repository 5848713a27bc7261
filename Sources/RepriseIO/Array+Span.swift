// SPDX-License-Identifier: Apache-2.0

extension Array where Element == UInt8 {
    /// The bytes of a view, copied.
    public init(copying bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }

    /// Appends a copy of `bytes`.
    public mutating func append(copying bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
