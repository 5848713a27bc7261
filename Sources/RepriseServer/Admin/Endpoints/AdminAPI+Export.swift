// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
internal import RepriseCassettes
internal import RepriseDocuments
internal import RepriseText

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// The journal as files, without secrets.
extension AdminAPI {
    func export(_ request: AdminRequest) async throws(AdminFailure) -> AdminResponse {
        let format = request.parameter("format") ?? "ndjson"
        guard ["ndjson", "har", "cassette"].contains(format) else {
            throw .invalidParameter("format", "expected ndjson, har, or cassette, found '\(shown(format))'")
        }
        let entries = await control.journal(in: request.session).entries
        let redaction = try await control.redaction(of: entries, scheme: scheme)
        if format == "cassette" { return try cassette(entries, redaction) }
        let redacted = entries.lazy.map { redaction.redacted($0) }
        return format == "har" ? har(redacted) : lines(redacted)
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
                response.body = recorded.wholeContent.bytes
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

    private func cassette(
        _ entries: [JournalEntry],
        _ redaction: JournalRedaction
    ) throws(AdminFailure) -> AdminResponse {
        let (entries, standIns) = redaction.withStandIns(entries)
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
            let table = standIns.needsTable ? standIns.listed : nil
            let output = try CassetteWriter.write(Cassette(exchanges: exchanges, standIns: table, note: note))
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

extension RedactedEntry {
    /// The entry in the format of HTTP Archives, version 1.2.
    fileprivate var har: JSONTree {
        let milliseconds = entry.duration.map { JSONTree(floatLiteral: $0 / .milliseconds(1)) } ?? 0
        let parts = URLParts(Array(request.url.utf8))
        let query = parts.query.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let pairs = AdminRequest(method: "GET", target: "?" + query).query
        var asked: JSONObject = [
            "method": .string(request.method), "url": .string(request.url), "httpVersion": "HTTP/1.1", "cookies": [],
            "headers": Self.json(request.headers),
            "queryString": .array(pairs.map { ["name": .string($0.name), "value": .string($0.value)] }),
        ]
        if request.body != nil || omission.request != nil {
            asked.append("postData", Self.content(entry.content, request.headers, or: "", omission.request).tree)
        }
        asked.append("headersSize", -1)
        asked.append("bodySize", .integer(omission.request == nil ? entry.content.count : -1))
        return [
            "startedDateTime": .string(entry.received.formatted(.iso8601)), "time": milliseconds,
            "request": asked.tree, "response": answer, "cache": [:],
            "timings": ["send": 0, "wait": milliseconds, "receive": 0],
        ]
    }

    private var answer: JSONTree {
        let headers = response?.headers ?? []
        let bytes = response?.wholeContent.bytes ?? []
        let size = omission.response == nil ? bytes.count : -1
        var content = Self.content(bytes, headers, or: "x-unknown", omission.response)
        content.append("size", .integer(size))
        return [
            "status": .integer(entry.status), "statusText": .string(response?.reason ?? ""),
            "httpVersion": "HTTP/1.1", "cookies": [], "headers": Self.json(headers), "content": content.tree,
            "redirectURL": .string(headers.firstValue(named: "Location") ?? ""), "headersSize": -1,
            "bodySize": .integer(size),
        ]
    }

    /// Returns content with its type. HAR defines `encoding` only for responses, but tools write it in requests too.
    ///
    /// - Parameter omission: Why the content is not complete; nil if it is. Programs that read HAR files recognize
    ///   `_truncated`.
    private static func content(
        _ bytes: [UInt8],
        _ headers: [HeaderLine],
        or unknownType: String,
        _ omission: String?
    ) -> JSONObject {
        let text = String(bytes: bytes, encoding: .utf8)
        return [
            "mimeType": .string(headers.firstValue(named: "Content-Type") ?? unknownType),
            "text": .string(text ?? Base64.text(bytes)), "encoding": text == nil ? "base64" : nil,
            "comment": omission.map { .string($0) }, "_truncated": omission == nil ? nil : true,
        ]
    }

    private static func json(_ lines: [HeaderLine]) -> JSONTree {
        .array(lines.map { ["name": .string($0.name), "value": .string($0.value)] })
    }
}
