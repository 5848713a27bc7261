// SPDX-License-Identifier: Apache-2.0

/// The object that an API wraps around the payload of each response, with a result code of its own and a message.
///
/// ```swift
/// struct BaseResponse: Envelope {
///     let code: BusinessCode
///     let message: String?
///     let requestID: String?
///
///     enum CodingKeys: String, CodingKey {
///         case code, message
///         case requestID = "request_id"
///     }
/// }
/// ```
///
/// ```swift
/// let user: User = try await api.get("/me").value(in: BaseResponse.self)
/// ```
///
/// A code that does not indicate success becomes an error: one of the app's own from ``error(for:)``, or otherwise
/// ``ClientError/Code/business`` with a ``BusinessError``. Only after that check is the payload decoded, from
/// ``payloadPath``. If it is missing or null, an optional is nil, ``JSONValue`` is null, and ``EmptyResponse``
/// succeeds. Any other type fails with ``ClientError/Code/path``.
public protocol Envelope: Decodable, SendableMetatype {
    /// The API's own code for the result.
    var code: BusinessCode { get }

    /// The human-readable message. The default is nil.
    var message: String? { get }

    /// The API's identifier for the request, for its support team. The default is nil.
    var requestID: String? { get }

    /// The path to the payload. The default is `/data`.
    static var payloadPath: JSONPointer { get }

    /// The codes that indicate success. The default is `0`, as a number or as text.
    static var successCodes: Set<BusinessCode> { get }

    /// The statuses for which an envelope is expected, unless the call specifies others. The default is 200 only.
    static var statusCodes: Set<Int> { get }

    /// Returns the app's own error for a code, or nil, the default, to throw ``ClientError/Code/business``.
    static func error(for failure: BusinessError) -> (any Error)?
}

extension Envelope {
    /// Returns nil.
    public var message: String? { nil }

    /// Returns nil.
    public var requestID: String? { nil }

    /// Returns `/data`.
    public static var payloadPath: JSONPointer { "/data" }

    /// Returns the code `0`.
    public static var successCodes: Set<BusinessCode> { [0] }

    /// Returns only 200.
    public static var statusCodes: Set<Int> { [200] }

    /// Returns nil.
    public static func error(for failure: BusinessError) -> (any Error)? { nil }
}

/// A code that an API writes as a number or as text. `0` and `"0"` are equal.
public struct BusinessCode: Sendable, Hashable, CustomStringConvertible {
    /// The code as text.
    public let description: String

    /// Creates a code from text.
    public init(_ text: String) {
        description = text
    }

    /// Creates a code from a number.
    public init(_ number: Int) {
        description = String(number)
    }
}

extension BusinessCode: Decodable {
    /// Decodes a number or text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            self.init(number)
        } else {
            self.init(try container.decode(String.self))
        }
    }
}

extension BusinessCode: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    /// Creates a code from a number.
    public init(integerLiteral number: Int) { self.init(number) }

    /// Creates a code from text.
    public init(stringLiteral text: String) { self.init(text) }
}

/// An error that an API reports with its own code.
public struct BusinessError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The API's code.
    public let code: BusinessCode
    /// The human-readable message.
    public let message: String?
    /// The API's identifier for the request, for its support team.
    public let requestID: String?

    /// Creates an error.
    public init(code: BusinessCode, message: String? = nil, requestID: String? = nil) {
        self.code = code
        self.message = message
        self.requestID = requestID
    }

    /// The code, the message without secrets, and the request's identifier.
    public var description: String {
        var text = "code \(code)"
        if let message { text += ": \(Body.redactedSentence(message))" }
        if let requestID { text += " (request \(requestID))" }
        return text
    }
}
