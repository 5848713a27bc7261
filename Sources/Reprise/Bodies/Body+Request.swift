// SPDX-License-Identifier: Apache-2.0

extension Body {
    /// Checks that a request's body that was read to its end is as long as it was said to be.
    ///
    /// - Parameter count: how many bytes came.
    package func check(count: Int) throws(TransportError) {
        guard let length, length != count else { return }
        throw TransportError(.requestBody, "the request's body was to have \(length) bytes and has \(count)")
    }
}

extension TransportError {
    /// Why a request's body could not be read, for a transport that answers in the process.
    ///
    /// - Parameter cancelled: what to say where the task was cancelled.
    package init(readingRequestBody error: any Error, cancelled: TransportError) {
        if Task.isCancelled {
            self = cancelled
        } else if let error = error as? TransportError, error.code == .requestBody {
            self = error
        } else {
            self.init(.requestBody, "the request's body failed: \(error)", underlying: error)
        }
    }
}
