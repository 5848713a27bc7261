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

    /// Puts a copy of `bytes` in the place of as many bytes from `start` on.
    ///
    /// - Precondition: The array has that many bytes from `start` on.
    public mutating func overwrite(at start: Int, copying bytes: Span<UInt8>) {
        precondition(start >= 0 && bytes.count <= count - start, "the bytes lie within the array")
        unsafe bytes.withUnsafeBytes { source in
            unsafe withUnsafeMutableBytes { unsafe $0[start...].copyBytes(from: source) }
        }
    }
}
