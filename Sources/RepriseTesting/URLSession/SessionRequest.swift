// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Reprise

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// A request of a URL session, with what its session adds to it.
struct SessionRequest: Sendable {
    private let request: URLRequest
    let details: SessionTaskDetails

    init(_ request: URLRequest, _ details: SessionTaskDetails) {
        self.request = request
        self.details = details
    }

    var url: URL? { request.url }

    /// Sends the request through the cassette, follows its redirects, and exchanges cookies with the session's storage.
    func response(from cassette: TestCassette) async throws(TransportError) -> Response {
        let body = try await body()
        var head = try HTTPRequest(request)
        for (name, value) in defaults(hasBody: body != nil) where !head.headerFields.contains(name) {
            head.headerFields[name] = value
        }
        var transport: any Transport = IdleTimeoutTransport(
            base: cassette.transport,
            limit: timeout,
            replacesTimeout: true,
            clock: cassette.clock,
            name: "timeoutInterval"
        )
        if request.httpShouldHandleCookies, let jar = details.cookies(in: cassette) {
            transport = CookieTransport(base: transport, jar: jar)
        }
        return try await transport.send(head, body: body, options: RequestOptions(timeout: nil))
    }

    private func body() async throws(TransportError) -> Body? {
        let limit = timeout
        let outcome: Result<Body?, TransportError>? = await TimeLimit(limit: limit).run {
            do throws(TransportError) {
                return .success(try await details.body(of: request))
            } catch {
                return .failure(error)
            }
        }
        if let outcome { return try outcome.get() }
        throw TransportError(
            .timedOut,
            """
            \(request.httpMethod ?? "POST") \(request.url?.host ?? ""): expected the request's body within \(limit), \
            found a stream that did not end; increase timeoutInterval to wait longer
            """
        )
    }

    /// Returns the response as the session reports it.
    func head(of response: Response) -> HTTPURLResponse? {
        let head = response.head
        #if canImport(FoundationNetworking)
            // Foundation on Linux would wait forever for credentials. The space, which is not part of the value
            // (RFC 9110 section 5.5), hides the challenge from it.
            if head.status == .unauthorized, let challenge = head.headerFields[.wwwAuthenticate] {
                var rest = head
                // Otherwise, another spelling of the name would remain.
                rest.headerFields[.wwwAuthenticate] = nil
                return HTTPURLResponse(rest, url: url(of: response)) { $0["WWW-Authenticate"] = " \(challenge)" }
            }
        #endif
        return HTTPURLResponse(head, url: url(of: response)) { _ in }
    }

    private func url(of response: Response) -> URL {
        response.url.flatMap(URL.init(string:)) ?? request.url ?? URL(fileURLWithPath: "/")
    }

    /// The fields that the session adds unless the request has them.
    private func defaults(hasBody: Bool) -> [(HTTPField.Name, String)] {
        var fields = details.additionalFields
        fields.append((.accept, "*/*"))
        if hasBody, request.httpMethod == "POST" { fields.append((.contentType, "application/x-www-form-urlencoded")) }
        return fields
    }

    /// The time limit without data. That of the configuration applies if the request has the default one.
    private var timeout: Duration {
        var interval = request.timeoutInterval
        if interval == Self.defaultTimeout, let configured = details.timeout { interval = configured }
        // Foundation takes 0 as no limit.
        return .seconds(interval > 0 ? min(interval, Self.longestTimeout) : Self.longestTimeout)
    }

    private static let defaultTimeout: TimeInterval = 60
    private static let longestTimeout: TimeInterval = 365 * 86_400
}

/// The cookies of a URL session.
struct SessionCookies: CookieStorage {
    let storage: HTTPCookieStorage

    func adding(to request: HTTPRequest) -> HTTPRequest {
        guard let url = URL(string: request.urlText), let cookies = storage.cookies(for: url), !cookies.isEmpty,
            let value = HTTPCookie.requestHeaderFields(with: cookies)["Cookie"]
        else { return request }
        var request = request
        request.headerFields[.cookie] = nil
        request.headerFields.append(HTTPField(name: .cookie, value: value))
        return request
    }

    func store(_ response: HTTPResponse, to request: HTTPRequest) {
        guard let url = URL(string: request.urlText) else { return }
        for field in response.headerFields where field.name == .setCookie {
            let cookies = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": field.value], for: url)
            storage.setCookies(cookies, for: url, mainDocumentURL: nil)
        }
    }
}
