// SPDX-License-Identifier: Apache-2.0

package import RepriseDocuments
internal import RepriseText

extension StubMappingWriter {
    /// Returns the requests that a stub answers as JSON.
    package static func tree(of request: StubRequest) -> JSONTree {
        var object: JSONObject = [:]
        object["method"] = tree(of: request.method)
        switch request.url {
        case .any: break
        case .equalTo(let text): object["url"] = .string(text)
        case .matching(let pattern): object["urlPattern"] = .string(pattern)
        case .path(let text): object["urlPath"] = .string(text)
        case .pathMatching(let pattern): object["urlPathPattern"] = .string(pattern)
        case .pathTemplate(let template): object["urlPathTemplate"] = .string(template)
        }
        object["pathParameters"] = tree(of: request.pathParameters)
        object["scheme"] = request.scheme.map { .string($0) }
        object["host"] = request.host.map { tree(of: $0) }
        object["port"] = request.port.map { .number(JSONNumber($0)) }
        object["clientIp"] = request.clientIP.map { tree(of: $0) }
        object["queryParameters"] = tree(of: request.query)
        object["headers"] = tree(of: request.headers)
        object["basicAuth"] = request.basicAuth.map {
            ["username": .string($0.username), "password": .string($0.password)]
        }
        object["cookies"] = tree(of: request.cookies)
        object["formParameters"] = tree(of: request.form)
        object["multipartPatterns"] = list(request.multipart.map { tree(of: $0) })
        object["bodyPatterns"] = list(request.body.map { tree(of: $0) })
        object["customMatcher"] = request.customMatcher.map { ["name": .string($0)] }
        return object.tree
    }

    private static func tree(of method: StubRequest.Method) -> JSONTree? {
        switch method {
        case .any: nil
        case .oneOf(["GET", "HEAD"]): "GET_OR_HEAD"
        case .oneOf(let names) where names.count == 1 && names != ["ANY"] && names != ["GET_OR_HEAD"]:
            .string(names[0])
        case .oneOf(let names): ["oneOf": .array(names.map { .string($0) })]
        case .noneOf(let names): ["noneOf": .array(names.map { .string($0) })]
        }
    }

    private static func tree(of condition: MultipartCondition) -> JSONTree {
        .members([
            "name": condition.name.map { .string($0) },
            "matchingType": condition.appliesToAll ? "ALL" : nil,
            "fileName": condition.fileName.map { tree(of: $0) },
            "headers": tree(of: condition.headers),
            "bodyPatterns": list(condition.body.map { tree(of: $0) }),
        ])
    }

    private static func tree(of matchers: [NamedMatcher]) -> JSONTree? {
        guard !matchers.isEmpty else { return nil }
        return .object(
            placesOfEqual(matchers.map(\.name)).map { places in
                let group = places.map { matchers[$0].matcher }
                return JSONTree.Member(matchers[places[0]].name, tree(of: group.count == 1 ? group[0] : .and(group)))
            }
        )
    }

    private static func list(_ elements: [JSONTree]) -> JSONTree? {
        elements.isEmpty ? nil : .array(elements)
    }
}
