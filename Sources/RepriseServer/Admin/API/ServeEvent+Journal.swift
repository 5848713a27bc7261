// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
internal import RepriseAnswers
internal import RepriseFixtures
internal import RepriseMatching
internal import RepriseStubAnswers
internal import RepriseStubs
internal import RepriseText

#if canImport(FoundationEssentials)
    private import FoundationEssentials
#else
    private import Foundation
#endif

extension JournalEntry {
    /// The parts of the request that stub conditions compare. The prefix of a session is not a part of the URL.
    func facts(scheme: String) -> DecodedRequest {
        let path = session == 0 ? target : pathAndQuery
        let prefix = session == 0 ? 0 : SessionRoute.prefixCount(ofTarget: path)
        var url = prefix == 0 ? target : String(decoding: path.utf8.dropFirst(prefix), as: UTF8.self)
        if prefix > 0, !url.hasPrefix("/") { url = "/" + url }
        return DecodedRequest(
            OwnedRequest(method: method, url: url, headers: headers, body: content, isProxied: true),
            // Requests through the proxy have a URL.
            scheme: URLParts(Array(target.utf8)).scheme.map { String(decoding: $0, as: UTF8.self) } ?? scheme,
            clientIP: clientHost,
            basePath: String(decoding: path.utf8.prefix(prefix), as: UTF8.self)
        )
    }

    /// The target without the scheme and host that it has in absolute form.
    private var pathAndQuery: String {
        guard !target.hasPrefix("/") else { return target }
        let parts = URLParts(Array(target.utf8))
        guard parts.scheme != nil else { return target }
        var bytes = Array(parts.path)
        if let query = parts.query {
            bytes.append(UInt8(ascii: "?"))
            bytes += query
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension LoggedRequest {
    /// Describes a request in the journal.
    ///
    /// - Parameter facts: The request; see ``JournalEntry/facts(scheme:)``.
    init(_ entry: JournalEntry, _ facts: DecodedRequest) {
        self.init(facts)
        clientIP = entry.clientHost
        isProxied = URLParts(Array(entry.target.utf8)).scheme != nil
        body = entry.content
        isBodyComplete = entry.isContentComplete
        loggedDate = Int((entry.received.timeIntervalSince1970 * 1000).rounded(.down))
        httpVersion = entry.requestLine.split(separator: " ").last.map { String($0) }
    }

    /// Describes a request, without the details that only the journal has.
    init(_ facts: DecodedRequest) {
        self.init(
            method: String(decoding: facts.method, as: UTF8.self),
            url: String(decoding: facts.rawURL, as: UTF8.self)
        )
        scheme = facts.scheme
        headers = [NamedValues](facts.headers, ignoringCase: true)
        cookies = [NamedValues](facts.cookies, ignoringCase: false)
        query = [NamedValues](facts.query, ignoringCase: false)
        form = [NamedValues](facts.form, ignoringCase: false)
        guard let name = facts.host.map({ String(decoding: $0, as: UTF8.self) }) else { return }
        host = name
        port = facts.port
        let standard = facts.scheme == "https" ? 443 : 80
        let suffix = port.map { $0 == standard ? "" : ":\($0)" } ?? ""
        absoluteURL = "\(facts.scheme)://\(name)\(suffix)\(url)"
    }

    func facts(scheme standard: String) -> DecodedRequest {
        let lines = headers.flatMap { field in
            field.values.compactMap { HeaderLine("\(field.name): \($0)") }
        }
        var all = lines
        if !cookies.isEmpty, headers["cookie"].isEmpty {
            let pairs = cookies.flatMap { cookie in cookie.values.map { "\(cookie.name)=\($0)" } }
            if let line = HeaderLine("Cookie: \(pairs.joined(separator: "; "))") { all.append(line) }
        }
        if let absoluteURL, headers["host"].isEmpty {
            let authority = URLParts(Array(absoluteURL.utf8)).authority.map { String(decoding: $0, as: UTF8.self) }
            if let line = authority.flatMap({ HeaderLine("Host: \($0)") }) { all.append(line) }
        }
        let scheme = scheme ?? absoluteURL.flatMap { $0.hasPrefix("https:") ? "https" : "http" } ?? standard
        return DecodedRequest(
            OwnedRequest(method: method, url: url, headers: all, body: body ?? []),
            scheme: scheme,
            clientIP: clientIP ?? "127.0.0.1"
        )
    }
}

extension [NamedValues] {
    fileprivate init(_ values: RequestPairs, ignoringCase: Bool) {
        self.init(
            grouping: values.entries.lazy.map {
                (name: String(decoding: $0.name, as: UTF8.self), value: String(decoding: $0.value, as: UTF8.self))
            },
            ignoringCase: ignoringCase
        )
    }
}

extension ServeEvent {
    init(_ entry: JournalEntry, _ facts: DecodedRequest, id: String) {
        let total = entry.duration.map { Int($0 / .milliseconds(1)) } ?? 0
        let delay = entry.stub?.mapping.response.delay?.fixed.map { Int($0 / .milliseconds(1)) } ?? 0
        let added = min(delay, total)
        self.init(
            id: id,
            request: LoggedRequest(entry, facts),
            response: LoggedResponse(entry),
            wasMatched: entry.stub != nil || entry.played != nil || entry.isForwarded,
            timing: ServeTiming(
                addedDelay: added,
                processTime: 0,
                responseSendTime: total - added,
                serveTime: total - added,
                totalTime: total
            ),
            stub: entry.mapping(id: id),
            origin: Origin(fixture: entry.fixture.map { "\($0)" }, ordinal: entry.ordinal)
        )
    }
}

extension JournalEntry {
    /// - Parameter id: The identifier of the request, for a stub that does not exist.
    fileprivate func mapping(id: String) -> StubMapping {
        if let stub { return stub.mapping }
        guard let played else {
            var mapping = StubMapping(response: response)
            mapping.id = id
            return mapping
        }
        let path =
            switch played.pattern.path {
            case .literal(let bytes): StubRequest.URLCondition.path(String(decoding: bytes, as: UTF8.self))
            case .template(let segments): StubRequest.URLCondition.pathTemplate(segments.map(\.text).joined())
            }
        var mapping = StubMapping(
            StubRequest(method: .oneOf([String(decoding: played.pattern.method, as: UTF8.self)]), url: path),
            response: response
        )
        mapping.id = StubID.make(for: played.source)
        mapping.name = "\(played.source)"
        return mapping
    }

    private var response: StubResponse {
        guard status == 0 else { return StubResponse(status: status) }
        var response = StubResponse()
        response.fault = .emptyResponse
        return response
    }

    /// The answer; nil if the journal does not have it.
    var sentAnswer: KeptAnswer? { answer ?? plan.flatMap { KeptAnswer($0) } }

    /// The plan of the answer; nil if it depends on the request.
    var plan: ResponsePlan? { stub?.fixture.answer.plan ?? played?.plan }
}

extension LoggedResponse {
    /// Describes the answer to a request in the journal, without the header lines that the connection added.
    init(_ entry: JournalEntry) {
        self.init(status: entry.status)
        fault = entry.stub?.mapping.response.fault?.rawValue
        guard let answer = entry.sentAnswer else {
            // The server's own answers, such as those to misses, are for people. WireMock doesn't show them either.
            if entry.plan != nil || entry.stub == nil && !entry.isForwarded { body = [] }
            return
        }
        headers = [NamedValues](
            grouping: answer.head.headers.lazy.map { (name: $0.name, value: $0.value) },
            ignoringCase: true
        )
        body = answer.content
    }
}

extension KeptAnswer {
    /// Keeps the answer that a plan plays; nil if there is none.
    convenience init?(_ plan: ResponsePlan) {
        guard let head = plan.head else { return nil }
        self.init(head: head, content: plan.content { _ in nil })
    }
}
