// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures
internal import RepriseStorage
internal import RepriseStubAnswers
internal import RepriseStubs
internal import RepriseText

/// The folders that stubs and their files are saved to: `mappings` and `__files` of the first fixture folder.
struct AdminFolder: Sendable {
    let mappings: ContainedFolder
    let files: ContainedFolder

    static let largestFile = 64 << 20

    /// - Parameter paths: The paths of the fixtures that the server serves.
    /// - Returns: nil if none of them is a folder.
    init?(_ paths: [String]) {
        guard let files = StubFiles(fixturesAt: paths) else { return nil }
        self.files = ContainedFolder(files.path)
        mappings = ContainedFolder(String(files.path.dropLast("__files".count)) + "mappings")
    }

    /// Returns a readable name for a stub's file, from the stub's name or its method and URL.
    ///
    /// - Parameter isLong: Whether to use the whole identifier, because the name with the short one is taken.
    static func name(for mapping: StubMapping, isLong: Bool) -> String {
        let words = mapping.name ?? "\(mapping.request.method.word) \(mapping.request.url.text)"
        let slug = words.lowercased().slug(separator: "-", limit: 60) { $0.isASCIIWord }
        let id = mapping.id ?? ""
        return "\(slug.isEmpty ? "stub" : slug)-\(isLong ? id[...] : id.prefix(8)).json"
    }
}

extension StubRequest.Method {
    fileprivate var word: String {
        switch self {
        case .oneOf(let names): names.joined(separator: " ")
        case .any, .noneOf: "any"
        }
    }
}

extension StubRequest.URLCondition {
    fileprivate var text: String {
        switch self {
        case .any: ""
        case .equalTo(let text), .matching(let text), .path(let text), .pathMatching(let text),
            .pathTemplate(let text):
            text
        }
    }
}
