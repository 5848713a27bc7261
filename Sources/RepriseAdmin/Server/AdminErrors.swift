// SPDX-License-Identifier: Apache-2.0

public import RepriseDocuments
internal import RepriseText

/// The reasons that a server refused or could not fulfill a request to its admin API.
public struct AdminErrors: Error, AdminModel, CustomStringConvertible {
    /// The reasons.
    public var errors: [Reason]

    /// One reason.
    public struct Reason: AdminModel {
        /// WireMock's number for the kind of error: 10 for a request that cannot be read, 11 for a state that a
        /// scenario does not have, 30 if no recording is running, and otherwise the status of the answer.
        public var code: Int
        /// The JSON pointer (RFC 6901) of the invalid value, or the name of a query parameter; `nil` if there is none.
        /// `/` means the whole text.
        public var pointer: String?
        /// The kind of error.
        public var title: String
        /// What was expected, what was found, and what to do.
        public var detail: String?

        /// Creates a reason.
        public init(code: Int, pointer: String? = nil, title: String, detail: String? = nil) {
            self.code = code
            self.pointer = pointer
            self.title = title
            self.detail = detail
        }

        package init(reading node: JSONNode) throws(JSONMistake) {
            let fields = try JSONFields(reading: node, "an error")
            code = try fields.integer("code") ?? 0
            title = try fields.string("title") ?? ""
            detail = try fields.string("detail")
            pointer = try fields.object("source")?.string("pointer")
        }

        /// The value as JSON, with the names of WireMock's members.
        public var json: JSONTree {
            .members([
                "code": .integer(code), "source": pointer.map { ["pointer": .string($0)] }, "title": .string(title),
                "detail": detail.map { .string($0) },
            ])
        }
    }

    /// Creates an error from `errors`, which must not be empty.
    public init(_ errors: [Reason]) {
        self.errors = errors
    }

    package init(reading node: JSONNode) throws(JSONMistake) {
        errors = try JSONFields(reading: node, "errors").list("errors", of: Reason.self)
    }

    /// The value as JSON, with the names of WireMock's members.
    public var json: JSONTree { ["errors": .list(errors)] }

    /// The reasons, one per line.
    public var description: String {
        errors.map { reason in
            let place = reason.pointer.map { $0 == "/" ? "" : "\($0): " } ?? ""
            return place + (reason.detail ?? reason.title)
        }
        .joined(separator: "\n")
    }
}

extension AdminErrors.Reason {
    /// Creates the reason that text cannot be read.
    package init(unreadable pointer: String, _ detail: String) {
        self.init(code: 10, pointer: pointer.isEmpty ? "/" : pointer, title: "Error parsing JSON", detail: detail)
    }
}
