// SPDX-License-Identifier: Apache-2.0

/// What helpers need of arguments that are literals, prepared when the template is compiled.
struct PreparedArguments: Sendable {
}

extension TemplateParser {
    /// Prepares the arguments of a call that are literals, and checks them.
    mutating func prepare(_ call: TemplateCall) {
    }
}
