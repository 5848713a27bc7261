// SPDX-License-Identifier: Apache-2.0

package import RepriseDocuments
internal import RepriseText

/// Writes stub mappings as JSON that ``StubMappingReader`` and WireMock read.
///
/// A part that was read and not changed is written as it was spelled. In the others, fields with their default values
/// are left out. Times are rounded to the microsecond. The names in a JSON object are
/// distinct, so header fields of an answer with the same name are written as one array, and several conditions on the
/// same name as one `and`.
public enum StubMappingWriter {
    /// Returns a mapping as indented JSON with a line end.
    public static func write(_ mapping: StubMapping) -> [UInt8] {
        text(tree(of: mapping), expandedDepth: 1)
    }

    /// Returns mappings as `{"mappings": […]}`.
    public static func write(_ mappings: [StubMapping]) -> [UInt8] {
        text(.object([.init("mappings", .array(mappings.map { tree(of: $0) }))]), expandedDepth: 3)
    }

    /// Returns a mapping as JSON.
    package static func tree(of mapping: StubMapping) -> JSONTree {
        var object: JSONObject = [:]
        object["id"] = mapping.id.map { .string($0) }
        object["name"] = mapping.name.map { .string($0) }
        object["priority"] = mapping.priority.map { .number(JSONNumber($0)) }
        object["persistent"] = mapping.isPersistent.map { .bool($0) }
        if let scenario = mapping.scenario {
            object["scenarioName"] = .string(scenario.name)
            object["requiredScenarioState"] = scenario.requiredState.map { .string($0) }
            object["newScenarioState"] = scenario.newState.map { .string($0) }
        }
        object["request"] = StubSpelling.tree(mapping.spelling.request) ?? tree(of: mapping.request)
        object["response"] = StubSpelling.tree(mapping.spelling.response) ?? tree(of: mapping.response)
        for listeners in mapping.spelling.listeners { object[listeners.name] = StubSpelling.tree(listeners.text) }
        if mapping.spelling.listeners.isEmpty, !mapping.webhooks.isEmpty {
            object["serveEventListeners"] = .array(mapping.webhooks.map { tree(of: $0) })
        }
        if case .object? = mapping.metadata { object["metadata"] = mapping.metadata }
        return object.tree
    }

    private static func tree(of webhook: Webhook) -> JSONTree {
        var parameters: JSONObject = [:]
        parameters["method"] = .string(webhook.method)
        parameters["url"] = .string(webhook.url)
        parameters["headers"] = tree(of: webhook.headers)
        switch webhook.body {
        case .text(let text)?: parameters["body"] = .string(text)
        case .bytes(let bytes)?: parameters["base64Body"] = .string(Base64.text(bytes))
        case nil: break
        }
        if let distribution = webhook.delay?.distribution {
            parameters["delay"] = tree(of: distribution)
        } else if let fixed = webhook.delay?.fixed {
            parameters["delay"] = ["type": "fixed", "milliseconds": .number(milliseconds(fixed))]
        }
        for member in webhook.parameters { parameters[member.name] = member.value }
        return .members([
            "name": "webhook", "requestPhases": webhook.phases.map { .array($0.map { .string($0.rawValue) }) },
            "parameters": parameters.tree,
        ])
    }
}
