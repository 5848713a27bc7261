// SPDX-License-Identifier: Apache-2.0

/// An endpoint of the admin API: a method, a path, and the function that answers.
struct AdminRoute: Sendable {
    typealias Answer = @Sendable (AdminAPI, AdminRequest, Parameters) async throws(AdminFailure) -> AdminResponse

    /// The values of the placeholders in the pattern.
    struct Parameters: Sendable {
        fileprivate(set) var values: [String] = []

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

    /// Returns the values of the placeholders in a path; nil if the path does not match the pattern.
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
