// SPDX-License-Identifier: Apache-2.0

package import RepriseText

/// Why a template is invalid, or what in it cannot work, with its place.
package struct TemplateProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The offset of the byte in the template.
    package let offset: Int
    /// The line and the column in the template.
    package let position: FilePosition
    /// What was expected, and what was found.
    package let message: String

    init(_ message: String, at offset: Int, in text: [UInt8]) {
        self.offset = offset
        position = FilePosition(offset: offset, in: text)
        self.message = message
    }

    package var description: String { "\(position.line):\(position.column): \(message)" }
}

/// Why a template could not be rendered for a request.
package struct TemplateFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was expected, and what was found.
    package let message: String
    /// The tag, if the failure belongs to one.
    package var position: FilePosition?
    /// Whether the message is printed instead of the value, as helpers of WireMock do.
    private(set) var isPrinted = false

    /// A complaint that is printed instead of the value.
    static func printed(_ message: String) -> TemplateFailure {
        var failure = TemplateFailure(message)
        failure.isPrinted = true
        return failure
    }

    init(_ message: String, at position: FilePosition? = nil) {
        self.message = message
        self.position = position
    }

    package var description: String {
        position.map { "template \($0.line):\($0.column): \(message)" } ?? "template: \(message)"
    }
}
