// SPDX-License-Identifier: Apache-2.0

/// The final response to a request.
public struct IncomingResponse: Sendable {
    /// The status and the fields.
    public let head: IncomingHead
    /// The body, or the way to it.
    public let body: IncomingBody
    /// How long what came before took.
    public let timings: ConnectionTimings
}
