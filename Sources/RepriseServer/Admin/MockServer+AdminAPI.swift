// SPDX-License-Identifier: Apache-2.0

extension MockServer {
    /// Answers a request to the admin API from this process, even if clients have no access to the API.
    ///
    /// - Parameters:
    ///   - target: The path below `/__admin`, with a query if there is one.
    ///   - content: The content of the request.
    ///   - session: The identifier of the session that the request applies to; nil for the server itself.
    package func adminAnswer(
        _ method: String,
        _ target: String,
        _ content: [UInt8],
        session: String?
    ) async -> (status: Int, content: [UInt8]) {
        guard let api = admin.current else { return (503, []) }
        let session = session.map { SessionID($0) }
        let answer = await api.answer(AdminRequest(method: method, target: target, content: content, session: session))
        return (answer.status, Array(answer.content.joined()))
    }
}
