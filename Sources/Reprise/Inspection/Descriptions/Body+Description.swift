// SPDX-License-Identifier: Apache-2.0

extension Body: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of bytes, and whether they are in memory. The content may be secret, so it is not shown.
    public var description: String {
        let size = length.map { $0 == 1 ? "1 byte" : "\($0) bytes" }
        return isInMemory ? size ?? "no bytes" : size.map { "a stream of \($0)" } ?? "a stream"
    }

    /// The ``description``.
    public var debugDescription: String { description }

    /// The length, without the content.
    public var customMirror: Mirror {
        Mirror(self, children: ["content": description, "isReplayable": isReplayable], displayStyle: .struct)
    }
}
