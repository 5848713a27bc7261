// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension CompiledStubRequest {
    /// The conditions that the index of stubs uses.
    var key: StubKey {
        StubKey(url.target, equalities)
    }
}

extension CompiledStubRequest {
    /// The path template; `nil` for another condition on the target.
    package var pathTemplate: PathTemplateMatcher? {
        if case .template(let template) = url { template } else { nil }
    }
}

extension CompiledURL {
    var target: StubKey.Target {
        switch self {
        case .any: .any
        case .rawURL(let url): .url(url)
        case .path(let path): .path(path)
        case .template(let template): template.target
        case .urlPattern(let pattern), .pathPattern(let pattern):
            .containing(pattern.literals)
        }
    }
}

extension CompiledURL {
    /// The text with which a target starts if it satisfies the condition, or nearly does.
    var start: [UInt8] {
        switch self {
        case .any: []
        case .rawURL(let text), .path(let text): text
        case .template(let template): Array(template.source.utf8)
        case .urlPattern(let pattern), .pathPattern(let pattern): pattern.prefix
        }
    }
}

extension PathTemplateMatcher {
    /// The segments, if each parameter is a whole segment, or else the literals.
    var target: StubKey.Target {
        var segments: [[UInt8]?] = []
        var isStart = false
        let literals = parts.compactMap { part in
            if case .literal(let text) = part { text } else { nil }
        }
        for part in parts {
            switch part {
            case .wildcard: return .containing(literals)
            case .parameter:
                guard isStart else { return .containing(literals) }
                segments[segments.count - 1] = nil
                isStart = false
            case .literal(let text):
                for byte in text {
                    if byte == UInt8(ascii: "/") {
                        segments.append([])
                        isStart = true
                    } else {
                        // Text before the first slash, or next to a parameter.
                        guard let last = segments.last, last != nil else { return .containing(literals) }
                        segments[segments.count - 1]?.append(byte)
                        isStart = false
                    }
                }
            }
        }
        return .template(segments)
    }
}
