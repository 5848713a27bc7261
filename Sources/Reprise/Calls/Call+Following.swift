// SPDX-License-Identifier: Apache-2.0

private import RepriseText

extension Call {
    /// Returns this call for the URL of a link in a response's Link field (RFC 8288), or nil if there is no such link.
    ///
    /// ```swift
    /// let pages = api.get("/photos").pages { call in
    ///     let response = try await call.send()
    ///     return (try response.decode(as: [Photo].self), next: call.following(response))
    /// }
    /// ```
    ///
    /// The call keeps its method and all of its modifiers, except for its query, which is part of the link. A
    /// relative link is resolved against the URL of the response (RFC 3986 section 5), and a fragment is removed.
    ///
    /// If the link leads to another origin, the call's own header fields with credentials are removed. The client's
    /// header fields and its token are sent there only if ``Client/Configuration/credentialOrigins`` allows it.
    ///
    /// - Parameters:
    ///   - response: A response to this call.
    ///   - relation: The relation type of the link. The default is `next`.
    public func following(_ response: BufferedResponse, rel relation: String = "next") -> Call? {
        response.headers.link(rel: relation).map { following($0, from: response.url) }
    }

    /// Returns this call for the URL of a link that a server sent, for example in the content of a response.
    ///
    /// See ``following(_:rel:)``. The link is resolved against the URL of this call.
    ///
    /// - Parameter link: An absolute URL, or one that is relative to the URL of this call.
    public func following(_ link: String) -> Call {
        following(link, from: nil)
    }

    private func following(_ link: String, from responseURL: String?) -> Call {
        var call = self
        do {
            let request = try request()
            let here = try RequestURL(absolute: request.urlText)
            let url = try RequestURL(absolute: URLReference.resolve(link, against: responseURL ?? request.urlText))
            call.path = "\(url.scheme)://\(url.authority)\(url.target)"
            call.baseURL = nil
            call.query = ""
            call.firstURL = firstURL ?? request.urlText
            if url.origin != here.origin { call.headers.removeAll { $0.name.isCredential } }
            return call
        } catch {
            return call.failing(error)
        }
    }
}
