// SPDX-License-Identifier: Apache-2.0

/// An error that ends the decoding of a stream.
public struct StreamDecodingError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public var code: Code
    /// The line of the stream in which the failure was found, starting at 1.
    public var line: Int
    /// A human-readable message: what was expected, what was found, and what to do.
    public var message: String
    /// The underlying error, if there is one, such as the `DecodingError` for a JSON line.
    public var underlying: (any Error)?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - line: The line in which the failure was found, starting at 1.
    ///   - message: What was expected, what was found, and what to do.
    ///   - underlying: The underlying error, if there is one.
    public init(_ code: Code, line: Int, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.line = line
        self.message = message
        self.underlying = underlying
    }

    /// The code and the message.
    public var description: String { "\(code): \(message)" }

    /// A kind of failure. Custom decoders can define their own.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name of the code.
        public let rawValue: String

        /// Creates a code with the given name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The name of the code.
        public var description: String { rawValue }
    }
}

extension StreamDecodingError.Code {
    /// A line is longer than the limit.
    public static let lineTooLong = Self(rawValue: "lineTooLong")
    /// The data of an event, over all its lines, is longer than the limit.
    public static let eventTooLong = Self(rawValue: "eventTooLong")
    /// A line is not valid JSON of the expected type.
    public static let invalidJSON = Self(rawValue: "invalidJSON")
}
