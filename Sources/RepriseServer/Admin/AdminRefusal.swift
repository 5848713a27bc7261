// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The reason that a request to the admin API is refused.
enum AdminRefusal: Equatable {
    /// The Host is neither a loopback name nor one of the configured names.
    case host(String)
    /// A proxy, a stub, or a webhook passed on the request and added this field.
    case forwarded(String)
    /// A page from this origin sent the request.
    case origin(String)
    /// A page from another site sent the request, according to Sec-Fetch-Site.
    case crossSite(String)
    /// There is no token, and the client has this address.
    case peer(String)
    /// There is no token, a browser may have sent the request, and scripts of others may run in its pages.
    case browser
    /// As ``browser``, but there is a token, which the request does not have as Bearer credentials.
    case browserWithoutToken
    /// A token is required, and the request has no credentials.
    case missingToken
    /// The request's credentials do not contain the token.
    case wrongToken
    /// The request has another Bearer token.
    case wrongBearerToken

    /// The answer. It contains only what the client sent itself, and nothing about the settings.
    var response: ServerResponse {
        let needsToken = [.missingToken, .wrongToken, .wrongBearerToken, .browserWithoutToken].contains(self)
        var response = ServerResponse(
            status: needsToken ? 401 : 403,
            reason: needsToken ? "Unauthorized" : "Forbidden",
            headers: [HeaderLine(name: "Cache-Control", value: "no-store")]
        )
        if needsToken {
            // A challenge for Basic authentication makes a browser ask for the password. A program with a Bearer token
            // has none, and URLSession on Linux would wait for one forever.
            let challenge =
                switch self {
                case .wrongBearerToken: "Bearer realm=\"mockserver\", error=\"invalid_token\""
                case .browserWithoutToken: "Bearer realm=\"mockserver\""
                default: "Basic realm=\"mockserver\""
                }
            response.headers.append(HeaderLine(name: "WWW-Authenticate", value: challenge))
        }
        response.content = Array("\(response.status) \(response.reason): \(text)\n".utf8)
        // With CORS header fields, a page of another origin could read the answer.
        response.isPreflight = true
        return response
    }

    private var text: String {
        switch self {
        case .host(let host):
            """
            the admin API expected a Host such as localhost, found '\(shown(host))'; if clients reach the server \
            by this name, start it with --admin-host
            """
        case .forwarded(let name):
            """
            the admin API expected a request that comes directly from its client, found the field \
            '\(shown(name))', which a proxy, a stub, or a webhook adds; connect directly
            """
        case .origin(let origin):
            """
            the admin API expected no Origin or its own, found '\(shown(origin))'; send the request from a \
            program or from this server's own pages
            """
        case .crossSite(let site):
            """
            the admin API expected Sec-Fetch-Site same-origin or none, found '\(shown(site))'; send the request \
            from a program or from this server's own pages
            """
        case .peer(let address):
            """
            the admin API expected a client on the server's machine, found \(shown(address)); start the server \
            with --admin-token and send the token
            """
        case .browser:
            """
            the admin API expected a program, found what may be a browser, in which scripts of served pages could use \
            it; use a program such as curl, or start the server with --admin-token and send the token
            """
        case .browserWithoutToken:
            """
            the admin API expected a browser to send 'Authorization: Bearer TOKEN', found none; a password is not \
            enough, because the browser adds it to the requests of served pages, too
            """
        case .missingToken:
            """
            the admin API expected a token, found none; send 'Authorization: Bearer TOKEN', or the token as the \
            password of Basic authentication
            """
        case .wrongToken, .wrongBearerToken:
            "the admin API expected its token, found other credentials; send the token that the server was started with"
        }
    }
}
