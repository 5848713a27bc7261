// SPDX-License-Identifier: Apache-2.0

internal import Reprise

extension Response {
    /// Returns the response unchanged, or, if its redirection is followed, with its body read, so that the body is
    /// recorded. A client that follows a redirection does not read the body itself.
    func drained(ifFollowed options: RequestOptions) async -> Response {
        guard options.redirects != .refuse, isRedirection, !body.isInMemory else { return self }
        var response = self
        do {
            response.body = Body(try await body.collect(upTo: Self.maximumDrained))
        } catch {
            // The redirection is followed anyway, and the recording has what arrived.
            response.body = .empty
        }
        return response
    }

    private static let maximumDrained = 64 * 1024

    private var isRedirection: Bool {
        [301, 302, 303, 307, 308].contains(status.code) && headerFields[.location] != nil
    }
}
