// SPDX-License-Identifier: Apache-2.0

extension ClientError {
    /// Creates the error for a failure of a transport, of a response's body, or of the code that reads the body.
    init(_ error: any Error, request: HTTPRequest) {
        if let error = error as? ClientError {
            self = error
            if self.request == nil { self.request = request }
        } else if error is CancellationError {
            self.init(.cancelled, "the task was canceled", request: request, underlying: error)
        } else if let error = error as? TransportError, let cause = error.ownCause {
            self = cause
            if self.request == nil { self.request = request }
        } else if let error = error as? TransportError {
            // If the task was canceled, a closed connection is a cancellation rather than a lost connection.
            let code = error.isConnectivity && Task.isCancelled ? .cancelled : Code(error.code)
            self.init(code, error.message, request: request, underlying: error)
        } else if let error = error as? StreamDecodingError {
            self.init(.decoding, error.message, request: request, underlying: error)
        } else {
            self.init(.transport, "\(error)", request: request, underlying: error)
        }
    }
}

extension TransportError {
    /// The library's own error for a request body that failed, such as a missing file.
    fileprivate var ownCause: ClientError? {
        code == .requestBody ? underlying as? ClientError : nil
    }
}

extension ClientError.Code {
    init(_ code: TransportError.Code) {
        self =
            switch code {
            case .cancelled: .cancelled
            case .timedOut: .timeout
            case .tls, .pinning: .tls
            case .noStub: .noStub
            case .cacheMiss: .cacheMiss
            case .invalidRequest: .invalidParameters
            default: .transport
            }
    }
}
