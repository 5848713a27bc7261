// SPDX-License-Identifier: Apache-2.0

package import RepriseDocuments
package import RepriseStubs
internal import RepriseText

/// Stubs to add to a server, all or none.
package struct StubImport: AdminModel {
    /// The stubs. The first one is tried first.
    package var mappings: [StubMapping]
    /// What happens to a stub whose identifier the server already has.
    package var duplicatePolicy: DuplicatePolicy
    /// Whether stubs that are not among ``mappings`` are removed.
    package var deletesOthers: Bool

    /// What happens to a stub whose identifier the server already has.
    package enum DuplicatePolicy: String, Sendable, Hashable, CaseIterable {
        /// The stub replaces the server's.
        case overwrite = "OVERWRITE"
        /// The server keeps its stub.
        case ignore = "IGNORE"
    }

    package init(
        _ mappings: [StubMapping],
        duplicatePolicy: DuplicatePolicy = .overwrite,
        deletesOthers: Bool = false
    ) {
        self.mappings = mappings
        self.duplicatePolicy = duplicatePolicy
        self.deletesOthers = deletesOthers
    }

    package init(reading node: JSONNode) throws(JSONMistake) {
        let fields = try JSONFields(
            reading: node,
            "an import",
            known: ["mappings", "importOptions", "meta", "$schema"]
        )
        guard fields["mappings"] != nil else { throw fields.mistake("mappings", expected: "an array of stub mappings") }
        mappings = try fields.list("mappings", of: StubMapping.self)
        let options = try fields.object("importOptions", known: ["duplicatePolicy", "deleteAllNotInImport"])
        duplicatePolicy =
            try options?.word("duplicatePolicy", expected: "\"OVERWRITE\" or \"IGNORE\"") ?? .overwrite
        deletesOthers = try options?.boolean("deleteAllNotInImport") ?? false
    }

    package var json: JSONTree {
        [
            "mappings": .list(mappings),
            "importOptions": [
                "duplicatePolicy": .string(duplicatePolicy.rawValue), "deleteAllNotInImport": .bool(deletesOthers),
            ],
        ]
    }
}
