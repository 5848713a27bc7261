// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    internal import Foundation
    internal import FoundationNetworking

    /// Forwards calls to the delegate of each task. Foundation on Linux does not do this itself: it calls only the
    /// session's delegate (swift-corelibs-foundation issue 5187).
    final class TaskDelegateCaller: NSObject, URLSessionDataDelegate {
        func urlSession(
            _ session: URLSession,
            dataTask: URLSessionDataTask,
            didReceive response: URLResponse,
            completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
        ) {
            dataTask.exchange?.urlSession(
                session,
                dataTask: dataTask,
                didReceive: response,
                completionHandler: completionHandler
            )
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            dataTask.exchange?.urlSession(session, dataTask: dataTask, didReceive: data)
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            task.exchange?.urlSession(session, task: task, didCompleteWithError: error)
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didSendBodyData bytesSent: Int64,
            totalBytesSent: Int64,
            totalBytesExpectedToSend: Int64
        ) {
            task.exchange?.sent(Int(totalBytesSent))
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest,
            completionHandler: @escaping (URLRequest?) -> Void
        ) {
            // The exchange no longer exists, so the redirect is not followed.
            guard let exchange = task.exchange else { return completionHandler(nil) }
            exchange.urlSession(
                session,
                task: task,
                willPerformHTTPRedirection: response,
                newRequest: request,
                completionHandler: completionHandler
            )
        }

        /// Handles a 401 that specifies an authentication scheme (RFC 9110 section 11.6.1). Its head and content have
        /// arrived. Without a response to the challenge, the task would never end (swift-corelibs-foundation issue
        /// 5456).
        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            if let response = challenge.failureResponse as? HTTPURLResponse { task.exchange?.receive(response) }
            task.exchange?.end(.success(()))
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }

    extension URLSessionTask {
        fileprivate var exchange: URLSessionExchange? { delegate as? URLSessionExchange }
    }
#endif
