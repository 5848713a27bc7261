// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// An invalid path of a route.
public struct RoutePathError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was expected and what was found.
    public var message: String

    /// The message.
    public var description: String { message }
}

extension RequestPattern {
    /// Parses a route's path.
    static func path(of routePath: String) throws(RoutePathError) -> Path {
        guard routePath.utf8.first == UInt8(ascii: "/") else {
            throw RoutePathError(message: "expected a path that starts with '/', found '\(routePath)'")
        }
        var segments: [Segment] = []
        var names: Set<ExactText> = []
        for text in routePath.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            let segment = try segment(String(text))
            if case .parameter(let name) = segment, !names.insert(ExactText(name)).inserted {
                throw RoutePathError(message: "expected each name once in '\(routePath)', found '{\(name)}' again")
            }
            segments.append(segment)
        }
        guard names.isEmpty else { return .template(segments) }
        return .literal(CanonicalPath.canonical(Array(routePath.utf8).span))
    }

    private static func segment(_ text: String) throws(RoutePathError) -> Segment {
        guard text.contains(where: { $0 == "{" || $0 == "}" }) else {
            // An empty segment is different from an empty path, whose canonical form is "/".
            return .literal(text.isEmpty ? [] : CanonicalPath.canonical(Array(text.utf8).span))
        }
        let name = text.dropFirst().dropLast()
        guard text.hasPrefix("{"), text.hasSuffix("}"), !name.isEmpty,
            !name.contains(where: { $0 == "{" || $0 == "}" })
        else {
            throw RoutePathError(message: "expected '{name}' as a whole segment, found '\(text)'")
        }
        return .parameter(String(name))
    }
}
