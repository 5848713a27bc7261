// SPDX-License-Identifier: Apache-2.0

/// A requirement that a response must meet to count as a success.
///
/// ```swift
/// api.get("/users/42").validate(.statusCodes([200, 404]))
/// ```
///
/// ```swift
/// api.post("/jobs").validate { response in
///     guard response.headers[.location] != nil else { throw NoLocation() }
/// }
/// ```
///
/// The client's rules come first, then the endpoint's, then the call's. Of the rules about the status, only the last
/// one applies, and it is checked first. All other rules then run in order, and the first error is thrown. Responses
/// are decoded, and streams returned, only after validation.
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

    /// Accepts any response. This removes all earlier rules, including the rule about the status.
    public static let none = Validation(rule: .none)

    /// Requires one of these statuses. Otherwise the call throws ``ClientError/Code/status``.
    public static func statusCodes(_ codes: Range<Int>) -> Validation {
        Validation(rule: .statusCodes(.range(codes)))
    }

    /// Requires one of these statuses. Otherwise the call throws ``ClientError/Code/status``.
    public static func statusCodes(_ codes: ClosedRange<Int>) -> Validation {
        Validation(rule: .statusCodes(.range(codes.lowerBound..<min(codes.upperBound, .max - 1) + 1)))
    }

    /// Requires one of these statuses. Otherwise the call throws ``ClientError/Code/status``.
    public static func statusCodes(_ codes: Set<Int>) -> Validation {
        Validation(rule: .statusCodes(.set(codes)))
    }

    /// Requires that `check` does not throw for the status and the header fields.
    public static func head(_ check: @escaping @Sendable (HTTPResponse) throws -> Void) -> Validation {
        Validation(rule: .head(check))
    }

    /// Requires that `check` does not throw for the response with its content. It does not run for streams, whose
    /// content has not arrived yet.
    public static func response(_ check: @escaping @Sendable (BufferedResponse) throws -> Void) -> Validation {
        Validation(rule: .response(check))
    }
}

/// The combined rules of a call.
struct Validator: Sendable {
    private(set) var statusCodes: Validation.StatusCodes
    private var checks: [Validation.Rule] = []

    /// Accepts the successful statuses (RFC 9110 section 15.3).
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

    func accepts(_ status: HTTPResponse.Status) -> Bool {
        statusCodes.contains(status.code)
    }

    /// Runs the rules that check more than the status. `response` is nil for a stream.
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
