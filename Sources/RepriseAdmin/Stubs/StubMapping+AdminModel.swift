// SPDX-License-Identifier: Apache-2.0

public import RepriseDocuments
public import RepriseStubs
internal import RepriseText

extension StubMapping: AdminModel {
    package init(reading node: JSONNode) throws(JSONMistake) { self = try StubMappingReader.mapping(node) }

    /// The mapping as the admin API writes it: in WireMock's order, with `uuid`, and with the method and the status
    /// even if they have their default values.
    public var json: JSONTree {
        let tree = StubMappingWriter.tree(of: self)
        var members: JSONObject = [
            "id": tree["id"], "name": tree["name"], "request": StubRequest.json(tree["request"]),
        ]
        members.append("response", response.json(tree["response"]))
        members.append("uuid", tree["id"])
        let last = [
            "persistent", "priority", "scenarioName", "requiredScenarioState", "newScenarioState",
            "postServeActions", "serveEventListeners", "metadata",
        ]
        for name in last { members.append(name, tree[name]) }
        return members.tree
    }
}

extension StubRequest: AdminModel {
    package init(reading node: JSONNode) throws(JSONMistake) { self = try StubMappingReader.request(node) }

    /// The conditions as the admin API writes them: in WireMock's order, and with the method even if every method
    /// matches.
    public var json: JSONTree { Self.json(StubMappingWriter.tree(of: self)) }

    fileprivate static func json(_ tree: JSONTree?) -> JSONTree {
        guard case .object(let tree)? = tree else { return .object([]) }
        let urls: Set = ["url", "urlPattern", "urlPath", "urlPathPattern", "urlPathTemplate"]
        let first: Set = ["scheme", "host", "port", "clientIp"]
        var members: JSONObject = [:]
        for member in tree where first.contains(member.name) { members.append(member.name, member.value) }
        for member in tree where urls.contains(member.name) { members.append(member.name, member.value) }
        members.append("method", tree.first { $0.name == "method" }?.value ?? "ANY")
        for member in tree where !first.contains(member.name) && !urls.contains(member.name) && member.name != "method"
        {
            members.append(member.name, member.value)
        }
        return members.tree
    }
}

extension StubResponse {
    /// Returns the JSON of the response with the status as a number, as in WireMock's answers.
    fileprivate func json(_ tree: JSONTree?) -> JSONTree? {
        guard recorded == nil, case .object(let members)? = tree else { return tree }
        return .object([.init("status", .integer(status))] + members.filter { $0.name != "status" })
    }
}
