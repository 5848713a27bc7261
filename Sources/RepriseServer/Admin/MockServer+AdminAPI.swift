// SPDX-License-Identifier: Apache-2.0

extension MockServer {
    /// Answers a request to the admin API from this process, also if clients have no access to it.
    ///
    /// - Parameters:
    ///   - target: The path below `/__admin`, with a query if there is one.
    ///   - content: What is sent.
    ///   - session: The identifier of the session whose stubs and requests are meant; nil for those of the server.
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
