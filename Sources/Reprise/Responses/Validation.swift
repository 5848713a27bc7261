// SPDX-License-Identifier: Apache-2.0

/// What a response must be to count as a success.
///
/// ```swift
/// api.get("/users/42").validate(.statusCodes([200, 404]))
/// ```
///
/// ```swift
/// api.post("/jobs").validate { response in
///     guard response.headerFields[.location] != nil else { throw NoLocation() }
/// }
/// ```
///
/// The client's come first, then the endpoint's, then the call's. The last rule about the status counts, and it is
/// looked at first; then all others run in order, and the first error is thrown. Values are made of a response, and
/// streams handed out, only after that.
public struct Validation: Sendable {
    enum Rule: Sendable {
        case none
        case statusCodes(StatusCodes)
        case head(@Sendable (HTTPResponse) throws -> Void)
        case response(@Sendable (BufferedResponse) throws -> Void)
    }

    enum StatusCodes: Sendable {
        case any
        case range(Range<Int>)
        case set(Set<Int>)

        func contains(_ code: Int) -> Bool {
            switch self {
            case .any: true
            case .range(let range): range.contains(code)
            case .set(let set): set.contains(code)
            }
        }
    }

    let rule: Rule

    /// Any response will do: takes back all that came before it, the rule about the status too.
    public static let none = Validation(rule: .none)

    /// The status is one of these; else ``ClientError/Code/status``.
    public static func statusCodes(_ codes: Range<Int>) -> Validation {
        Validation(rule: .statusCodes(.range(codes)))
    }

    /// The status is one of these; else ``ClientError/Code/status``.
    public static func statusCodes(_ codes: ClosedRange<Int>) -> Validation {
        Validation(rule: .statusCodes(.range(codes.lowerBound..<min(codes.upperBound, .max - 1) + 1)))
    }

    /// The status is one of these; else ``ClientError/Code/status``.
    public static func statusCodes(_ codes: Set<Int>) -> Validation {
        Validation(rule: .statusCodes(.set(codes)))
    }

    /// `check` does not throw for the status and the header fields.
    public static func head(_ check: @escaping @Sendable (HTTPResponse) throws -> Void) -> Validation {
        Validation(rule: .head(check))
    }

    /// `check` does not throw for the response and its content. Streams are not asked, for they have none yet.
    public static func response(_ check: @escaping @Sendable (BufferedResponse) throws -> Void) -> Validation {
        Validation(rule: .response(check))
    }
}

/// Rules put together.
struct Validator: Sendable {
    private(set) var statusCodes: Validation.StatusCodes
    private var checks: [Validation.Rule] = []

    /// A status of success (RFC 9110 section 15.3).
    static let standard = Validator(statusCodes: .range(200..<300))

    func adding(_ validations: [Validation]) -> Validator {
        guard !validations.isEmpty else { return self }
        var all = self
        for validation in validations {
            switch validation.rule {
            case .none: all = Validator(statusCodes: .any)
            case .statusCodes(let codes): all.statusCodes = codes
            case .head, .response: all.checks.append(validation.rule)
            }
        }
        return all
    }

    /// Whether the status will do.
    func accepts(_ status: HTTPResponse.Status) -> Bool {
        statusCodes.contains(status.code)
    }

    /// Runs what looks at more than the status. `response` is nil for a stream.
    func check(_ head: HTTPResponse, _ response: BufferedResponse?) throws {
        for check in checks {
            switch check {
            case .head(let check): try check(head)
            case .response(let check): if let response { try check(response) }
            case .none, .statusCodes: break
            }
        }
    }
}
