// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension HTTPFields {
    /// The value of a field by its name as text, or nil if there is none. Several fields of the same name are joined
    /// with commas.
    ///
    /// ```swift
    /// configuration.headers["X-Client"] = "atlas"
    /// ```
    ///
    /// Setting a value replaces all fields of the same name, and setting nil removes them. The name must be a token
    /// (RFC 9110 section 5.1). For names that your program does not define itself, use
    /// ``Call/header(_:_:)-(String,_)``, which makes the call fail instead of the program.
    public subscript(name: String) -> String? {
        get { HTTPField.Name(name).flatMap { self[$0] } }
        set {
            guard let known = HTTPField.Name(name) else {
                preconditionFailure(
                    "expected a header name of letters, digits and !#$%&'*+-.^_`|~, found \(name.debugDescription)"
                )
            }
            self[known] = newValue
        }
    }

    /// Returns the members of a field that is a list of words (RFC 9110 section 5.6.1).
    func members(_ name: HTTPField.Name) -> [Substring] {
        self[values: name].flatMap { $0.utf8.split { $0 == UInt8(ascii: ",") || $0 == 0x20 || $0 == 0x09 } }
            .map { Substring($0) }
    }
}

extension StringProtocol {
    /// The text without the spaces and tabs around it.
    var trimmed: String { String(Substring(Substring(self).utf8.trimmingBlanks)) }
}

extension Response {
    /// Returns the value of a header field by its name as text, or nil if there is none.
    public func header(_ name: String) -> String? { headers[name] }
}

extension BufferedResponse {
    /// Returns the value of a header field by its name as text, or nil if there is none.
    public func header(_ name: String) -> String? { headers[name] }
}

extension StatusResponse {
    /// Returns the value of a header field by its name as text, or nil if there is none.
    public func header(_ name: String) -> String? { headers[name] }
}
