// SPDX-License-Identifier: Apache-2.0

/// Why a stream of bytes cannot be decoded any further.
public struct StreamDecodingError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is.
    public var code: Code
    /// The line of the stream in which it showed; the first is 1.
    public var line: Int
    /// What was expected, what was found and what can be done, for people.
    public var message: String
    /// The error underneath, where there is one: the `DecodingError` of a JSON line.
    public var underlying: (any Error)?

    /// A failure.
    ///
    /// - Parameters:
    ///   - code: what kind of failure it is.
    ///   - line: the line in which it showed, from 1 on.
    ///   - message: what was expected, what was found and what can be done.
    ///   - underlying: the error underneath, if there is one.
    public init(_ code: Code, line: Int, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.line = line
        self.message = message
        self.underlying = underlying
    }

    /// The code and the message.
    public var description: String { "\(code): \(message)" }

    /// A kind of failure; a decoder of one's own may have its own.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// Its name.
        public let rawValue: String

        /// A kind with that name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Its name.
        public var description: String { rawValue }
    }
}

extension StreamDecodingError.Code {
    /// A line is longer than the limit.
    public static let lineTooLong = Self(rawValue: "lineTooLong")
    /// The data of an event, over all its lines, are longer than the limit.
    public static let eventTooLong = Self(rawValue: "eventTooLong")
    /// A line is not the JSON that was asked for.
    public static let invalidJSON = Self(rawValue: "invalidJSON")
}
