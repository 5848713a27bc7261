// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

// Reads mapping files and stub mappings.
extension StubParser {
    /// Reads one mapping, or an object with several. Returns each with its offset.
    mutating func mappings(_ node: JSONNode) -> [(mapping: StubMapping, offset: Int)] {
        guard node.members != nil else {
            reject(node, "a stub mapping or {\"mappings\": […]}")
            return []
        }
        guard node["mappings"] != nil else {
            return mapping(node).map { [($0, node.offset)] } ?? []
        }
        guard let fields = fields(of: node, StubFields.file),
            let elements = elements(fields["mappings"], "mappings", of: "stub mappings")
        else { return [] }
        var mappings: [(mapping: StubMapping, offset: Int)] = []
        for element in elements where problems.count <= FixtureProblems.limitOfFile {
            if let mapping = mapping(element) { mappings.append((mapping, element.offset)) }
        }
        return mappings
    }

    /// Reads one mapping.
    mutating func mapping(_ node: JSONNode) -> StubMapping? {
        guard let fields = fields(of: node, StubFields.mapping) else { return nil }
        var mapping = StubMapping()
        let identifiers = ["id", "uuid"].map { identifier(fields[$0], $0) }
        // `id` and `uuid` are the same field; the last one written counts.
        let isLast = (fields["uuid"]?.offset ?? 0) > (fields["id"]?.offset ?? 0)
        mapping.id = isLast ? identifiers[1] : identifiers[0]
        mapping.name = text(fields["name"], "name")
        mapping.priority = priority(fields["priority"])
        mapping.scenario = scenario(fields)
        mapping.isPersistent = boolean(fields["persistent"], "persistent")
        mapping.metadata = object(fields["metadata"], "metadata").map { .object($0) }
        if let node = fields["request"], let request = request(node) { mapping.request = request }
        if let node = fields["response"], let response = response(node) { mapping.response = response }
        let listeners = ["postServeActions", "serveEventListeners"].filter { fields[$0] != nil }
        for name in listeners {
            if let node = fields[name] {
                mapping.webhooks += tolerating("nothing is sent") { $0.webhooks(node, name) }
            }
        }
        mapping.spelling.request = spelling(fields["request"])
        mapping.spelling.response = spelling(fields["response"])
        mapping.spelling.listeners = listeners.compactMap { name in
            spelling(fields[name]).map { StubSpelling.Listeners(name: name, text: $0) }
        }
        return mapping
    }

    private func spelling(_ node: JSONNode?) -> ArraySlice<UInt8>? {
        guard let node, node.members != nil || node.elements != nil else { return nil }
        return node.range.isEmpty ? node.tree.bytes[...] : text[node.range]
    }

    private mutating func identifier(_ node: JSONNode?, _ name: String) -> String? {
        guard let node, let text = string(node, name).map(Self.trimmed), !text.isEmpty else { return nil }
        if let id = Self.uuid(base64: text) {
            tolerating("it counts as \(id)") { $0.reject(node, "a UUID for \"\(name)\"") }
            return id
        }
        guard UUIDText.isUUID(Array(text.utf8).span) else {
            reject(node, "a UUID for \"\(name)\"", "; use \"name\" for a name, or leave it out")
            return nil
        }
        return text.lowercased()
    }

    /// Returns the UUID that WireMock reads in the Base64 of 16 bytes.
    private static func uuid(base64 text: String) -> String? {
        guard text.utf8.count == 24, text.hasSuffix("=="), !text.utf8.contains(where: { "-_ ".utf8.contains($0) }),
            let bytes = Base64.decodeLeniently(Array(text.utf8)[...]), bytes.count == 16
        else { return nil }
        return UUIDText.text(of: bytes)
    }

    private mutating func priority(_ node: JSONNode?) -> Int? {
        if node?.string == "" { return nil }
        return integer(node, "priority", in: Int(Int32.min)...Int(Int32.max), "an integer")
    }

    private mutating func scenario(_ fields: JSONFields) -> StubMapping.Scenario? {
        let required = text(fields["requiredScenarioState"], "requiredScenarioState")
        let new = text(fields["newScenarioState"], "newScenarioState")
        guard let name = text(fields["scenarioName"], "scenarioName") else {
            if let node = fields["requiredScenarioState"] ?? fields["newScenarioState"], fields["scenarioName"] == nil {
                note(at: node.offset, "a state has no effect without \"scenarioName\"")
            }
            return nil
        }
        return StubMapping.Scenario(name: name, requiredState: required, newState: new)
    }

    /// Returns the members of an object with any content.
    mutating func object(_ node: JSONNode?, _ name: String) -> [JSONTree.Member]? {
        value(node, name, "an object") { if case .object(let members) = $0.tree { members } else { nil } }
    }

    // MARK: Webhooks

    /// Reads listeners. The older form of `postServeActions` is an object of parameters by name.
    private mutating func webhooks(_ node: JSONNode, _ name: String) -> [Webhook] {
        if name == "postServeActions", let members = node.members {
            return members.compactMap { member in
                guard isWebhook(member.name, at: member.offset) else { return nil }
                return webhook(member.value)
            }
        }
        var webhooks: [Webhook] = []
        for element in elements(node, name, of: "listeners") ?? [] {
            guard let fields = fields(of: element, StubFields.listener),
                let node = required("name", in: fields), let listener = string(node, "name"),
                isWebhook(listener, at: node.offset), let parameters = required("parameters", in: fields),
                var webhook = webhook(parameters)
            else { continue }
            if let node = fields["requestPhases"] { webhook.phases = phases(node) }
            webhooks.append(webhook)
        }
        return webhooks
    }

    private mutating func isWebhook(_ name: String, at offset: Int) -> Bool {
        if name == "webhook" { return true }
        report(
            at: offset,
            "expected the listener \"webhook\", found \"\(clipped(name))\"; extensions of WireMock do not run here, so "
                + "remove it"
        )
        return false
    }

    private mutating func phases(_ node: JSONNode) -> [Webhook.Phase]? {
        let name = "requestPhases"
        return elements(node, name, of: "phases")?.compactMap { word($0, name, among: Webhook.Phase.allCases) }
    }

    private mutating func webhook(_ node: JSONNode) -> Webhook? {
        guard let members = members(node, "an object with the parameters of a webhook") else { return nil }
        var values: [ExactText: JSONNode] = [:]
        var webhook = Webhook(method: "GET", url: "")
        for member in members {
            if StubFields.webhook.contains(member.name) {
                values[member.name] = member.value
            } else {
                webhook.parameters.append(JSONTree.Member(member.name, member.value.tree))
            }
        }
        if let method = text(values["method"], "method") { webhook.method = method }
        guard let url = text(values["url"], "url") else {
            if values["url"] == nil { report(node, "expected \"url\" in a webhook, found none") }
            return nil
        }
        webhook.url = url
        if let node = values["headers"] { webhook.headers = headers(node, "headers") }
        if let text = text(values["body"], "body") {
            webhook.body = .text(text)
        } else if let bytes = base64(values["base64Body"], "base64Body") {
            webhook.body = .bytes(bytes)
        }
        if let node = values["delay"] { webhook.delay = distribution(node, "delay") }
        return webhook
    }
}
