// SPDX-License-Identifier: Apache-2.0

package import RepriseDocuments
internal import RepriseText

/// A compiled JSON Schema, as WireMock's `matchesJsonSchema` uses it.
///
/// References stay within the document. Formats are assertions up to draft 7, and annotations since 2019-09, as in the
/// library that WireMock uses.
package struct MatchesJSONSchema: Sendable {
    /// The number of schemas that may be applied to parts of a document.
    static let maximumSteps = 1_000_000
    static let unitsPerStep = 50
    /// The maximum depth of schemas while they are applied, so that circular references end.
    static let maximumDepth = 512

    private let schema: CompiledJSONSchema
    /// What is said about regular expressions in the schema that may match different text than in Java.
    package var warnings: [String] { schema.warnings }

    /// Compiles a schema.
    ///
    /// - Throws: ``JSONSchemaError`` if a keyword has an invalid value, or a reference leads out of the document.
    package init(_ schema: JSONTree, version: JSONSchemaVersion = .v202012) throws(JSONSchemaError) {
        var compiler = try JSONSchemaCompiler(schema, version: version)
        self.schema = try compiler.compile()
    }

    /// Whether a document is valid.
    ///
    /// - Parameter budget: Each schema that is applied takes a step. If there are not enough, the result is `false`. A
    ///   regular expression without enough steps is a mismatch, which the schema may negate.
    package func matches(_ document: JSONTree, budget: WorkBudget) -> Bool {
        var validation = JSONSchemaValidation(schema: schema, budget: budget)
        return validation.validate(document, against: schema.root) && !validation.isExhausted
    }
}

/// Why a JSON Schema is invalid.
package struct JSONSchemaError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The JSON Pointer of the keyword (RFC 6901); empty for the schema itself.
    package var pointer: String
    /// What was expected and what was found.
    package var message: String

    /// `pointer: message`.
    package var description: String { pointer.isEmpty ? message : "\(pointer): \(message)" }
}
