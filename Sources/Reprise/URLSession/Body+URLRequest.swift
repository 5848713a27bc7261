// SPDX-License-Identifier: Apache-2.0

package import Foundation
private import RepriseContentCoding

extension Body {
    /// Creates a body from a stream, which is read to its end.
    ///
    /// - Throws: ``TransportError/Code/requestBody`` if the stream fails.
    package nonisolated(nonsending) static func reading(
        _ stream: InputStream
    ) async throws(TransportError) -> Body {
        do {
            return Body(try await stream.bytes())
        } catch {
            let message = "the stream of the request's body failed: \(error.localizedDescription)"
            throw TransportError(.requestBody, message, underlying: error)
        }
    }
}
