// SPDX-License-Identifier: Apache-2.0

internal import Reprise

extension Response {
    /// Reads the body of a redirect that is about to be followed, so that the body is recorded. A client does not read
    /// the body of a redirect that it follows. All other responses are returned unchanged.
    func drained(ifFollowed options: RequestOptions) async -> Response {
        guard options.redirects != .dontFollow, isRedirection, !body.isInMemory else { return self }
        var response = self
        do {
            response.body = Body(try await body.collect(upTo: Self.maximumDrained))
        } catch {
            // The redirect is followed anyway, and the recording contains what arrived.
            response.body = .empty
        }
        return response
    }

    private static let maximumDrained = 64 * 1024

    private var isRedirection: Bool {
        [301, 302, 303, 307, 308].contains(status.code) && headers[.location] != nil
    }
}
