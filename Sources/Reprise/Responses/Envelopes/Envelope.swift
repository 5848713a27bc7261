// SPDX-License-Identifier: Apache-2.0

/// What an API wraps around its answers: a code of its own, a message, and the content that counts.
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
/// A code that is no success is an error: one of the app's own from ``error(for:)``, or else
/// ``ClientError/Code/business`` with a ``BusinessError``. The content, at ``payloadPath``, is looked at only after that.
/// Where it is missing or null, an optional is nil, ``JSONValue`` is null and ``EmptyResponse`` passes; anything else is
/// ``ClientError/Code/path``.
public protocol Envelope: Decodable, SendableMetatype {
    /// The API's own code.
    var code: BusinessCode { get }

    /// What the API says, for people; nil by default.
    var message: String? { get }

    /// The API's name for the request, for its support; nil by default.
    var requestID: String? { get }

    /// Where the content stands; `/data` by default.
    static var payloadPath: JSONPointer { get }

    /// The codes of success; `0` by default, written as a number or as a text.
    static var successCodes: Set<BusinessCode> { get }

    /// The statuses under which an envelope comes, unless the call says otherwise; 200 alone by default.
    static var statusCodes: Set<Int> { get }

    /// The app's own error for a code; nil, the default, for ``ClientError/Code/business``.
    static func error(for failure: BusinessError) -> (any Error)?
}

extension Envelope {
    /// Nil.
    public var message: String? { nil }

    /// Nil.
    public var requestID: String? { nil }

    /// `/data`.
    public static var payloadPath: JSONPointer { "/data" }

    /// `0`.
    public static var successCodes: Set<BusinessCode> { [0] }

    /// 200.
    public static var statusCodes: Set<Int> { [200] }

    /// Nil.
    public static func error(for failure: BusinessError) -> (any Error)? { nil }
}

/// A code that an API writes as a number or as a text: `0` and `"0"` are the same.
public struct BusinessCode: Sendable, Hashable, CustomStringConvertible {
    /// How it is written.
    public let description: String

    /// A code that is a text.
    public init(_ text: String) {
        description = text
    }

    /// A code that is a number.
    public init(_ number: Int) {
        description = String(number)
    }
}

extension BusinessCode: Decodable {
    /// Reads a number or a text.
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
    /// A code that is a number.
    public init(integerLiteral number: Int) { self.init(number) }

    /// A code that is a text.
    public init(stringLiteral text: String) { self.init(text) }
}

/// What an API says by a code of its own that is no success.
public struct BusinessError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The API's code.
    public let code: BusinessCode
    /// What the API says, for people.
    public let message: String?
    /// The API's name for the request, for its support.
    public let requestID: String?

    /// What an API says.
    public init(code: BusinessCode, message: String? = nil, requestID: String? = nil) {
        self.code = code
        self.message = message
        self.requestID = requestID
    }

    /// The code, the message and the request's name.
    public var description: String {
        var text = "code \(code)"
        if let message { text += ": \(message)" }
        if let requestID { text += " (request \(requestID))" }
        return text
    }
}
