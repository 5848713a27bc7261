// SPDX-License-Identifier: Apache-2.0

extension ClientError {
    /// What a transport threw, or the body that it gave, or what reads that body.
    init(_ error: any Error, request: HTTPRequest) {
        if let error = error as? ClientError {
            self = error
            if self.request == nil { self.request = request }
        } else if error is CancellationError {
            self.init(.cancelled, "the task was cancelled", request: request, underlying: error)
        } else if let error = error as? TransportError, let cause = error.ownCause {
            self = cause
            if self.request == nil { self.request = request }
        } else if let error = error as? TransportError {
            // A connection that was closed because the task is cancelled was not lost.
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
    /// Why a body of this library's own failed, in its words: a file that is gone, say.
    fileprivate var ownCause: ClientError? {
        code == .requestBody ? underlying as? ClientError : nil
    }
}

extension ClientError.Code {
    /// What a transport's failure is to the caller.
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
