// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The fields of each object of a mapping file.
enum StubFields {
    static let file = StubParser.Kind(
        name: "a file of mappings",
        fields: ["mappings", "meta", "$schema", "importOptions"]
    )

    static let mapping = StubParser.Kind(
        name: "a stub mapping",
        fields: [
            "id", "uuid", "name", "request", "response", "priority", "scenarioName", "requiredScenarioState",
            "newScenarioState", "persistent", "metadata", "serveEventListeners", "postServeActions", "insertionIndex",
            "$schema", "meta",
        ],
        refusals: ["mappings": "send one stub mapping, or import the mappings"]
    )

    static let request = StubParser.Kind(
        name: "a request",
        fields: [
            "method", "url", "urlPattern", "urlPath", "urlPathPattern", "urlPathTemplate", "pathParameters", "scheme",
            "host", "port", "clientIp", "queryParameters", "headers", "cookies", "formParameters", "basicAuth",
            "basicAuthCredentials", "bodyPatterns", "multipartPatterns", "customMatcher",
        ]
    )

    static let basicAuth = StubParser.Kind(name: "basicAuth", fields: ["username", "password"])

    static let customMatcher = StubParser.Kind(name: "customMatcher", fields: ["name", "parameters"])

    static let methods = StubParser.Kind(name: "\"method\"", fields: ["oneOf", "noneOf"])

    static let multipart = StubParser.Kind(
        name: "a multipart pattern",
        fields: ["name", "fileName", "matchingType", "headers", "bodyPatterns"]
    )

    static let response = StubParser.Kind(
        name: "a response",
        fields: [
            "status", "statusMessage", "headers", "body", "jsonBody", "base64Body", "bodyFileName",
            "fixedDelayMilliseconds", "delayDistribution", "chunkedDribbleDelay", "fault", "proxyBaseUrl",
            "additionalProxyRequestHeaders", "removeProxyRequestHeaders", "proxyUrlPrefixToRemove", "transformers",
            "transformerParameters", "template", "stream", "then", "times", "fromConfiguredStub",
            "recorded", "bend",
        ]
    )

    static let bend = StubParser.Kind(
        name: "an edit",
        fields: StubParser.places + StubParser.edits + ["answers"]
    )

    static let bytes = StubParser.Kind(name: "bytes", fields: ["base64"])

    static let rechunk = StubParser.Kind(name: "\"rechunk\"", fields: ["seed"])

    static let lognormal = StubParser.Kind(
        name: "a lognormal distribution",
        fields: ["type", "median", "sigma", "maxValue"]
    )

    static let uniform = StubParser.Kind(name: "a uniform distribution", fields: ["type", "lower", "upper"])

    static let fixed = StubParser.Kind(name: "a fixed distribution", fields: ["type", "milliseconds"])

    static let dribble = StubParser.Kind(
        name: "chunkedDribbleDelay",
        fields: ["numberOfChunks", "totalDuration"]
    )

    static let step = StubParser.Kind(
        name: "a step of a stream",
        fields: ["after", "text", "base64"],
        refusals: [
            "end": "use \"then\" of the response instead",
            "json": "write the JSON in \"text\"",
        ]
    )

    static let outcome = StubParser.Kind(name: "\"then\"", fields: ["bytesPerSecond"])

    static let listener = StubParser.Kind(
        name: "a listener",
        fields: ["name", "requestPhases", "parameters"]
    )

    /// The parameters of a webhook that are not values for templates.
    static let webhook = ["method", "url", "headers", "body", "base64Body", "delay"]

    /// Returns the object that has the field `name`, for a field that is in another object.
    static func home(of name: String) -> String? {
        if request.fields.contains(name), name != "headers" { return "\"request\"" }
        if response.fields.contains(name), name != "headers" { return "\"response\"" }
        if mapping.fields.contains(name) { return "the stub mapping, beside \"request\" and \"response\"" }
        return nil
    }
}
