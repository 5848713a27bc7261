// SPDX-License-Identifier: Apache-2.0

extension Body {
    /// Checks that a request body that was read to its end has its announced length.
    ///
    /// - Parameter count: The number of bytes that were read.
    package func check(count: Int) throws(TransportError) {
        guard let length, length != count else { return }
        throw TransportError(.requestBody, "expected a request body of \(length) bytes, found \(count)")
    }
}

extension TransportError {
    /// Creates the error for a request body that could not be read, for a transport that responds in the process.
    ///
    /// - Parameters:
    ///   - error: The error that the body threw.
    ///   - cancelled: The error to use if the task was canceled.
    package init(readingRequestBody error: any Error, cancelled: TransportError) {
        if Task.isCancelled {
            self = cancelled
        } else if let error = error as? TransportError, error.code == .requestBody {
            self = error
        } else {
            self.init(.requestBody, "could not read the request body: \(error)", underlying: error)
        }
    }
}
