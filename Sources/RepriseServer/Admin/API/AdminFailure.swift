// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
internal import RepriseFixtures
internal import RepriseStubs
internal import RepriseText

/// The reason that the admin API did not fulfill a request: a status, and errors in WireMock's format.
struct AdminFailure: Error {
    var status: Int
    var errors: AdminErrors
    /// The methods that the path supports, if that of the request is not among them.
    var allowed: [String] = []

    init(status: Int, _ reasons: [AdminErrors.Reason]) {
        self.status = status
        errors = AdminErrors(reasons)
    }

    init(_ error: AdminModelError) {
        self.init(status: 422, [AdminErrors.Reason(unreadable: error.pointer, error.message)])
    }

    init(_ error: StubProblems) {
        self.init(status: 422, error.problems.map { AdminErrors.Reason(unreadable: $0.pointer, $0.message) })
    }

    /// A stub that cannot be compiled, with a pointer in front of its message.
    init(_ error: FixtureProblems) {
        let reasons = error.problems.map { problem in
            guard problem.message.hasPrefix("/"), let end = problem.message.firstRange(of: ": ") else {
                return AdminErrors.Reason(unreadable: "", problem.message)
            }
            return AdminErrors.Reason(
                unreadable: String(problem.message[..<end.lowerBound]),
                String(problem.message[end.upperBound...])
            )
        }
        self.init(status: 422, reasons)
    }

    static func unreadable(_ pointer: String, _ detail: String) -> AdminFailure {
        AdminFailure(status: 422, [AdminErrors.Reason(unreadable: pointer, detail)])
    }

    static func invalidParameter(_ name: String, _ detail: String, status: Int = 422) -> AdminFailure {
        AdminFailure(
            status: status,
            [AdminErrors.Reason(code: 10, pointer: name, title: "Invalid parameter", detail: detail)]
        )
    }

    init(_ status: Int, _ title: String, _ detail: String) {
        self.init(status: status, [AdminErrors.Reason(code: status, title: title, detail: detail)])
    }

    static func notFound(_ detail: String) -> AdminFailure { AdminFailure(404, "Not found", detail) }

    static func conflict(_ detail: String) -> AdminFailure { AdminFailure(409, "Conflict", detail) }

    static func refused(_ detail: String) -> AdminFailure { AdminFailure(403, "Refused", detail) }

    /// A request that must wait until others have ended (RFC 9110 section 15.6.4).
    static func overloaded(_ detail: String) -> AdminFailure { AdminFailure(503, "Overloaded", detail) }

    static func unavailable(_ detail: String) -> AdminFailure { AdminFailure(501, "Not implemented", detail) }

    var response: AdminResponse {
        var response = AdminResponse.json(errors.json, status: status)
        if !allowed.isEmpty {
            response.headers.append(HeaderLine(name: "Allow", value: allowed.joined(separator: ", ")))
        }
        return response
    }
}
