// SPDX-License-Identifier: Apache-2.0

package import RepriseDocuments
package import RepriseStubs
internal import RepriseText

/// A compiled JSON Schema, as WireMock's `matchesJsonSchema` uses it.
///
/// References stay within the document. Formats are assertions up to draft 7, and annotations since 2019-09, as in the
/// library that WireMock uses.
package struct MatchesJSONSchema: Sendable {
    /// The number of schemas that may be applied to parts of a document.
    package static let defaultSteps = 1_000_000
    /// The maximum depth of schemas while they are applied, so that circular references end.
    static let maximumDepth = 512

    /// The regular expressions in the schema, so that they can be compiled and reported at load.
    package let patterns: [String]
    let schema: CompiledJSONSchema

    /// Compiles a schema.
    ///
    /// - Throws: ``JSONSchemaError`` if a keyword has an invalid value, or a reference leads out of the document.
    package init(_ schema: JSONTree, version: ValueMatcher.JSONSchemaVersion = .v202012) throws(JSONSchemaError) {
        var compiler = try JSONSchemaCompiler(schema, version: version)
        self.schema = try compiler.compile()
        patterns = self.schema.patterns
    }

    /// Whether a document is valid.
    ///
    /// - Parameters:
    ///   - steps: The number of schemas that may still be applied. The result is `false` if it reaches 0.
    ///   - contains: Whether a text contains a match of a regular expression.
    package func matches(
        _ document: JSONTree,
        steps: inout Int,
        contains: (_ pattern: String, _ text: String) -> Bool
    ) -> Bool {
        withoutActuallyEscaping(contains) { contains in
            var validation = JSONSchemaValidation(schema: schema, steps: steps, containsMatch: contains)
            let isValid = validation.validate(document, against: schema.root)
            steps = validation.steps
            return isValid && !validation.isExhausted
        }
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
