// SPDX-License-Identifier: Apache-2.0

extension RequestParser {
    /// The maximum sizes of the parts of a request, in bytes.
    public struct Limits: Sendable, Hashable {
        /// The maximum length of the target. A longer one is answered with 414.
        public let target: Int
        /// The maximum length of the header section, including line ends and the blank line. A longer one is answered
        /// with 431. The same limit applies to a trailer section.
        public let headerSection: Int
        /// The maximum number of field lines. More are answered with 431.
        public let fields: Int
        /// The maximum length of the body without its framing. A longer one is answered with 413.
        public let body: Int

        /// Creates limits. The defaults are 64 KiB, 64 KiB, 100 lines and 64 MiB. Heads are always limited to less
        /// than 1 GiB.
        public init(
            target: Int = 64 * 1024,
            headerSection: Int = 64 * 1024,
            fields: Int = 100,
            body: Int = 64 * 1024 * 1024
        ) {
            // Offsets into a head are stored in 32 bits.
            let bound = 1 << 29
            self.target = min(max(target, 1), bound)
            self.headerSection = min(max(headerSection, 2), bound)
            self.fields = max(fields, 0)
            self.body = max(body, 0)
        }
    }
}
