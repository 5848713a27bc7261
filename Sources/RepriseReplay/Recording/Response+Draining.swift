// SPDX-License-Identifier: Apache-2.0

internal import Reprise

extension Response {
    /// The same; if it redirects and is followed, with its body read, so that a recording has it: whoever follows a
    /// redirection does not look at its content.
    func drained(ifFollowed options: RequestOptions) async -> Response {
        guard options.redirects != .refuse, isRedirection, !body.isInMemory else { return self }
        var response = self
        do {
            response.body = Body(try await body.collect(upTo: Self.maximumDrained))
        } catch {
            // It is followed all the same; the recording has what came.
            response.body = .empty
        }
        return response
    }

    private static let maximumDrained = 64 * 1024

    private var isRedirection: Bool {
        [301, 302, 303, 307, 308].contains(status.code) && headerFields[.location] != nil
    }
}
