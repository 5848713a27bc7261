// SPDX-License-Identifier: Apache-2.0

/// An endpoint of the admin API: a method and a path, and what answers.
struct AdminRoute: Sendable {
    typealias Answer = @Sendable (AdminAPI, AdminRequest, Parameters) async throws(AdminFailure) -> AdminResponse

    /// The parts of the path that the pattern leaves open.
    struct Parameters: Sendable {
        fileprivate(set) var values: [String] = []

        /// The first part.
        var first: String { values.first ?? "" }
    }

    let method: String
    /// The path as documented, such as `/mappings/{id}`. `{path…}` stands for the rest of the path.
    let pattern: String
    let answer: Answer
    private let segments: [String]

    init(_ method: String, _ pattern: String, _ answer: @escaping Answer) {
        self.method = method
        self.pattern = pattern
        self.answer = answer
        segments = pattern.split(separator: "/").map { String($0) }
    }

    /// Returns what the pattern leaves open in a path; nil if the path is another.
    func parameters(of path: [String]) -> Parameters? {
        var parameters = Parameters()
        for (place, segment) in segments.enumerated() {
            if segment == "{path…}" {
                parameters.values += path.dropFirst(place)
                return path.count > place ? parameters : nil
            }
            guard place < path.count else { return nil }
            if segment.hasPrefix("{") {
                parameters.values.append(path[place])
            } else if segment != path[place] {
                return nil
            }
        }
        return path.count == segments.count ? parameters : nil
    }
}
