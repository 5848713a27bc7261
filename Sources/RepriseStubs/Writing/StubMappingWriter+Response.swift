// SPDX-License-Identifier: Apache-2.0

package import RepriseDocuments
internal import RepriseText

extension StubMappingWriter {
    /// Returns an answer as JSON.
    package static func tree(of response: StubResponse) -> JSONTree {
        var object: JSONObject = [:]
        if response.recorded == nil { object["status"] = .number(JSONNumber(response.status)) }
        object["recorded"] = response.recorded.map { .string($0) }
        if !response.bends.isEmpty { object["bend"] = .array(response.bends.map { tree(of: $0) }) }
        object["statusMessage"] = response.reason.map { .string($0) }
        object["headers"] = tree(of: response.headers)
        switch response.body {
        case .none: break
        case .text(let text): object["body"] = .string(text)
        // In `jsonBody`, the value `null` would mean that there is no content.
        case .json(.null): object["body"] = "null"
        case .json(let json): object["jsonBody"] = json
        case .bytes(let bytes): object["base64Body"] = .string(Base64.text(bytes))
        case .file(let name): object["bodyFileName"] = .string(name)
        }
        object["stream"] = response.stream.map { tree(of: $0) }
        object["fixedDelayMilliseconds"] = response.delay?.fixed.map { .number(milliseconds($0)) }
        object["delayDistribution"] = response.delay?.distribution.map { tree(of: $0) }
        object["chunkedDribbleDelay"] = response.dribble.map {
            [
                "numberOfChunks": .number(JSONNumber($0.chunks)),
                "totalDuration": .number(milliseconds($0.duration)),
            ]
        }
        object["then"] = response.then.map { tree(of: $0) }
        object["fault"] = response.fault.map { .string($0.rawValue) }
        object["times"] = response.times.map { .number(JSONNumber($0)) }
        if let proxy = response.proxy { add(proxy, to: &object) }
        if !response.transformers.isEmpty {
            object["transformers"] = .array(response.transformers.map { .string($0) })
        }
        let named = response.transformers.contains(StubParser.templateTransformer)
        if response.isTemplate == true, !named {
            object["transformers"] = .array(
                (response.transformers + [StubParser.templateTransformer]).map { .string($0) }
            )
        } else if response.isTemplate == false {
            object["template"] = false
        }
        if !response.parameters.isEmpty { object["transformerParameters"] = .object(response.parameters) }
        return object.tree
    }

    /// Returns header fields as an object. Fields with the same name are written as one array.
    static func tree(of headers: [StubHeader]) -> JSONTree? {
        guard !headers.isEmpty else { return nil }
        return .object(
            placesOfEqual(headers.map(\.name)).map { places in
                let values = places.map { JSONTree.string(headers[$0].value) }
                return JSONTree.Member(headers[places[0]].name, values.count == 1 ? values[0] : .array(values))
            }
        )
    }

    // MARK: Timing

    /// Returns a time in milliseconds, to the microsecond.
    static func milliseconds(_ duration: Duration) -> JSONNumber {
        let spelling = duration.millisecondsSpelling
        return JSONNumber(spelling.hasSuffix(".0") ? String(spelling.dropLast(2)) : spelling) ?? JSONNumber(0)
    }

    /// Returns a distribution of times.
    package static func tree(of distribution: StubDelay.Distribution) -> JSONTree {
        switch distribution {
        case .lognormal(let median, let sigma, let maximum):
            .members([
                "type": "lognormal", "median": number(median), "sigma": number(sigma),
                "maxValue": maximum.map { number($0) },
            ])
        case .uniform(let lower, let upper):
            ["type": "uniform", "lower": .number(JSONNumber(lower)), "upper": .number(JSONNumber(upper))]
        }
    }

    private static func number(_ double: Double) -> JSONTree {
        .number(JSONNumber(shortest: double) ?? JSONNumber(0))
    }

    // MARK: Streams and proxies

    private static func tree(of steps: [StubResponse.StreamStep]) -> JSONTree {
        var elements: [JSONTree] = []
        var pause: Duration?
        for step in steps {
            var object: JSONObject = [:]
            object["after"] = pause.map { .number(milliseconds($0)) }
            switch step {
            case .pause(let duration):
                pause = duration
                if object.members.isEmpty { continue }
            case .bytes(let bytes):
                pause = nil
                if UTF8Sequence.isValid(bytes) {
                    object["text"] = .string(String(decoding: bytes, as: UTF8.self))
                } else {
                    object["base64"] = .string(Base64.text(bytes))
                }
            }
            elements.append(object.tree)
        }
        if let pause { elements.append(["after": .number(milliseconds(pause))]) }
        return .array(elements)
    }

    private static func tree(of outcome: StubResponse.Outcome) -> JSONTree {
        switch outcome {
        case .reset: "reset"
        case .truncate: "truncate"
        case .stall: "stall"
        case .bytesPerSecond(let count): ["bytesPerSecond": .number(JSONNumber(count))]
        }
    }

    private static func add(_ proxy: StubResponse.Proxy, to object: inout JSONObject) {
        object["proxyBaseUrl"] = .string(proxy.baseURL)
        object["proxyUrlPrefixToRemove"] = proxy.pathPrefixToRemove.map { .string($0) }
        object["additionalProxyRequestHeaders"] = tree(of: proxy.addedHeaders)
        if !proxy.removedHeaders.isEmpty {
            object["removeProxyRequestHeaders"] = .array(proxy.removedHeaders.map { .string($0) })
        }
    }
}
