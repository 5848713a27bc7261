// SPDX-License-Identifier: Apache-2.0

extension RequestParser {
    /// How large a request may be, in bytes.
    public struct Limits: Sendable, Hashable {
        /// The target's length; 414 above.
        public let target: Int
        /// The length of the header section, with all line ends and the blank line; 431 above. A trailer section is
        /// held to the same.
        public let headerSection: Int
        /// The number of field lines; 431 above.
        public let fields: Int
        /// The body's length without its framing; 413 above.
        public let body: Int

        /// Limits of which each may be left at its default. Heads are held below 1 GiB whatever the limits say.
        public init(
            target: Int = 8 * 1024,
            headerSection: Int = 64 * 1024,
            fields: Int = 100,
            body: Int = 64 * 1024 * 1024
        ) {
            // Offsets into a head are kept in 32 bits.
            let bound = 1 << 29
            self.target = min(max(target, 1), bound)
            self.headerSection = min(max(headerSection, 2), bound)
            self.fields = max(fields, 0)
            self.body = max(body, 0)
        }
    }
}
