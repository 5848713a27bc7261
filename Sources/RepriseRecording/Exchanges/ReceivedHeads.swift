// SPDX-License-Identifier: Apache-2.0

package import RepriseCassettes

/// A request as received, with its secrets. Kept in memory only.
///
/// A caller that receives the same request again can pass the same object, which is recognized at once.
package final class ReceivedRequest: Sendable {
    package let request: RecordedRequest
    let urlHash: Int

    package init(_ request: RecordedRequest) {
        self.request = request
        urlHash = request.url.hashValue
    }
}

/// The head of a response as received, with its secrets. Kept in memory only.
///
/// A caller that receives the same head again can pass the same object, which is recognized at once.
package final class ReceivedHead: Sendable {
    package let response: RecordedResponse

    /// - Parameter response: A response without content.
    package init(_ response: RecordedResponse) {
        self.response = response
    }
}
