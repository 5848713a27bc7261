// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
internal import RepriseCassettes
internal import RepriseRedaction
internal import RepriseText

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// The journal as files, without secrets.
extension AdminAPI {
    /// Returns the journal in the format that the request specifies.
    func export(_ request: AdminRequest) async throws(AdminFailure) -> AdminResponse {
        let format = request.parameter("format") ?? "ndjson"
        let redaction = try redaction()
        let entries = await control.journal(in: request.session).entries.lazy.map { entry in
            RedactedEntry(entry, redaction, scheme: scheme)
        }
        switch format {
        case "ndjson": return lines(entries)
        case "har": return har(entries)
        case "cassette": return try cassette(entries)
        default:
            throw .invalidParameter("format", "expected ndjson, har, or cassette, found '\(shown(format))'")
        }
    }

    private func lines(_ entries: some Sequence<RedactedEntry>) -> AdminResponse {
        var pieces = AdminPieces()
        for redacted in entries where !Task.isCancelled {
            let event = ServeEvent(
                redacted.entry,
                redacted.entry.facts(scheme: scheme),
                id: identifiers.id(of: redacted.entry.key)
            )
            var response = LoggedResponse(status: redacted.entry.status)
            if let recorded = redacted.response {
                response.headers = [RepriseAdmin.NamedValues](
                    grouping: recorded.headers.lazy.map { (name: $0.name, value: $0.value) },
                    ignoringCase: true
                )
                response.body = recorded.bytes
            }
            guard case .object(let members) = event.json else { continue }
            // Omit the stub, because it can contain secrets.
            let kept = members.filter { !["stubMapping", "responseDefinition"].contains($0.name) }
            pieces.append(
                .object(kept.map { $0.name == "response" ? JSONTree.Member("response", response.json) : $0 })
            )
            pieces.append("\n")
        }
        return AdminResponse(contentType: "application/x-ndjson", content: pieces.all)
    }

    private func cassette(_ entries: some Sequence<RedactedEntry>) throws(AdminFailure) -> AdminResponse {
        var exchanges: [Exchange] = []
        var omitted = 0
        for redacted in entries where !Task.isCancelled {
            guard let exchange = redacted.exchange, CassetteRules.fault(of: exchange) == nil else {
                omitted += 1
                continue
            }
            exchanges.append(exchange)
        }
        let note =
            omitted == 0
            ? nil
            : "\(omitted) of the requests are left out because they or their answers are incomplete"
        do throws(CassetteWriter.Problem) {
            let output = try CassetteWriter.write(Cassette(exchanges: exchanges, note: note))
            return .bytes(output.bytes, "application/json")
        } catch {
            throw .conflict("the journal cannot be written as a cassette: \(error)")
        }
    }

    private func har(_ entries: some Sequence<RedactedEntry>) -> AdminResponse {
        var pieces = AdminPieces()
        pieces.append(
            "{\"log\":{\"version\":\"1.2\",\"creator\":{\"name\":\"mockserver\",\"version\":\"\(Self.version)\"},"
        )
        pieces.append("\"entries\":")
        pieces.append(list: entries.lazy.map(\.har))
        pieces.append("}}")
        return AdminResponse(content: pieces.all)
    }
}

extension RecordedResponse {
    /// The content.
    fileprivate var bytes: [UInt8]? {
        switch content {
        case .none: []
        case .body(let body): if case .bytes(let bytes) = body.source { bytes } else { nil }
        case .stream: nil
        }
    }
}

extension RedactedEntry {
    /// The entry in the format of HTTP Archives, version 1.2.
    fileprivate var har: JSONTree {
        let milliseconds = entry.duration.map { JSONTree(floatLiteral: $0 / .milliseconds(1)) } ?? 0
        let parts = URLParts(Array(request.url.utf8))
        let query = parts.query.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let pairs = AdminRequest(method: "GET", target: "?" + query).query
        var asked: ShapeMembers = [
            "method": .string(request.method), "url": .string(request.url), "httpVersion": "HTTP/1.1", "cookies": [],
            "headers": Self.json(request.headers),
            "queryString": .array(pairs.map { ["name": .string($0.name), "value": .string($0.value)] }),
        ]
        if case .bytes(let bytes)? = request.body?.source {
            let type = request.headers.firstValue(named: "Content-Type") ?? ""
            asked.append(
                "postData",
                ["mimeType": .string(type), "text": .string(String(decoding: bytes, as: UTF8.self))]
            )
        }
        asked.append("headersSize", -1)
        asked.append("bodySize", .integer(entry.content.count))
        return [
            "startedDateTime": .string(entry.received.formatted(.iso8601)), "time": milliseconds,
            "request": asked.json, "response": answer, "cache": [:],
            "timings": ["send": 0, "wait": milliseconds, "receive": 0],
        ]
    }

    private var answer: JSONTree {
        let headers = response?.headers ?? []
        let bytes = response?.bytes ?? []
        var content: ShapeMembers = [
            "size": .integer(bytes.count),
            "mimeType": .string(headers.firstValue(named: "Content-Type") ?? "x-unknown"),
        ]
        if let text = String(bytes: bytes, encoding: .utf8) {
            content.append("text", .string(text))
        } else {
            content.append("text", .string(Base64.text(bytes)))
            content.append("encoding", "base64")
        }
        return [
            "status": .integer(entry.status), "statusText": .string(response?.reason ?? ""),
            "httpVersion": "HTTP/1.1", "cookies": [], "headers": Self.json(headers), "content": content.json,
            "redirectURL": .string(headers.firstValue(named: "Location") ?? ""), "headersSize": -1,
            "bodySize": .integer(bytes.count),
        ]
    }

    private static func json(_ lines: [HeaderLine]) -> JSONTree {
        .array(lines.map { ["name": .string($0.name), "value": .string($0.value)] })
    }
}
