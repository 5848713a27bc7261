// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Reprise

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// What a URL protocol has to know about its task.
///
/// On Linux, a protocol is not given the body of an upload, nor the settings of its session, and has to apply them
/// itself. They are read by reflection. If a later Foundation stores them elsewhere, uploads fail, and the settings
/// have their defaults.
struct SessionTaskDetails: Sendable {
    private let task: URLSessionTask?
    private let configuration: URLSessionConfiguration?
    /// Whether a delegate receives the content in pieces as it arrives.
    let isStreamed: Bool

    #if canImport(FoundationNetworking)
        private let session: URLSession?
        private let knownBody: KnownBody

        /// The data, file, or stream of an upload, as Foundation keeps it.
        ///
        /// `@unchecked Sendable`: Foundation no longer uses it, because the cassette sends the body.
        private struct KnownBody: @unchecked Sendable {
            let value: Any?
        }

        /// Must be called on the work queue of the session, as `startLoading` is, which protects its registry of tasks.
        init(_ task: URLSessionTask?, _ configuration: URLSessionConfiguration?) {
            self.task = task
            knownBody = KnownBody(value: task?.reflected("knownBody").flatMap(Reflection.payload))
            session = task?.reflected("session") as? URLSession
            self.configuration = session?.configuration ?? configuration
            let registry = session?.reflected("taskRegistry")
            let behaviors = registry.flatMap { Reflection.value("behaviours", of: $0) } as? [Int: Any]
            let behavior = behaviors?[task?.taskIdentifier ?? 0]
            isStreamed = session?.delegate is any URLSessionDataDelegate && behavior.map { "\($0)" } == "callDelegate"
        }
    #else
        init(_ task: URLSessionTask?, _ configuration: URLSessionConfiguration?) {
            self.task = task
            self.configuration = configuration
            isStreamed = true
        }
    #endif

    /// The error for a task that a cassette cannot answer; nil if it can.
    var refusal: TransportError? {
        if task is URLSessionWebSocketTask {
            return TransportError(
                .invalidRequest,
                """
                expected a data or an upload task, found a WebSocket task, which a cassette cannot record; use a \
                test double for it instead
                """
            )
        }
        #if canImport(FoundationNetworking)
            if task is URLSessionDownloadTask {
                return TransportError(
                    .invalidRequest,
                    """
                    expected a data or an upload task, found a download task, whose file Foundation on Linux does not \
                    take from a cassette; use data(for:) in the code, or run the test under mockserver run
                    """
                )
            }
        #endif
        return nil
    }

    /// The storage for cookies; nil if the session has none. The process's own storage is persistent, so `cassette`
    /// takes its place.
    func cookies(in cassette: TestCassette) -> (any CookieStorage)? {
        guard let configuration else { return cassette.cookies }
        guard configuration.httpShouldSetCookies, configuration.httpCookieAcceptPolicy != .never,
            let storage = configuration.httpCookieStorage
        else { return nil }
        return storage === HTTPCookieStorage.shared ? cassette.cookies : SessionCookies(storage: storage)
    }

    var timeout: TimeInterval? { configuration?.timeoutIntervalForRequest }

    var additionalFields: [(HTTPField.Name, String)] {
        (configuration?.httpAdditionalHeaders ?? [:]).compactMap { name, value in
            (name.base as? String).flatMap { HTTPField.Name($0) }.map { ($0, "\(value)") }
        }
    }

    /// Reads the body of the task's request; nil if it has none.
    func body(of request: URLRequest) async throws(TransportError) -> Body? {
        let isUpload = task is URLSessionUploadTask
        #if canImport(FoundationNetworking)
            if isUpload, let body = try await readKnownBody() { return body }
        #endif
        for request in [request, task?.currentRequest, task?.originalRequest] {
            if let data = request?.httpBody { return Body([UInt8](data)) }
            if let stream = request?.httpBodyStream { return try await .reading(stream) }
        }
        guard isUpload else { return nil }
        #if canImport(FoundationNetworking)
            if let task, let stream = await newStream(for: task) { return try await .reading(stream) }
        #endif
        throw TransportError(
            .requestBody,
            """
            \(request.httpMethod ?? "POST") \(request.url?.host ?? ""): expected an upload with data, a file, or a \
            stream, found none, because its delegate gave no stream or Foundation changed; set httpBody, or run \
            the test under mockserver run
            """
        )
    }

    #if canImport(FoundationNetworking)
        private func readKnownBody() async throws(TransportError) -> Body? {
            switch knownBody.value {
            case let bytes as any Sequence<UInt8>: return Body(Array(bytes))
            case let file as URL:
                do {
                    return try Body(file: file)
                } catch {
                    throw TransportError(.requestBody, error.message, underlying: error)
                }
            case let stream as InputStream: return try await .reading(stream)
            default: return nil
            }
        }

        /// Asks the delegate for the stream of a task that was created with `uploadTask(withStreamedRequest:)`.
        private func newStream(for task: URLSessionTask) async -> InputStream? {
            guard let session, let delegate = session.delegate as? any URLSessionTaskDelegate else { return nil }
            // The delegate may never call back, or more than once.
            let (streams, given) = AsyncStream.makeStream(of: GivenStream.self)
            session.delegateQueue.addOperation {
                delegate.urlSession(session, task: task) { given.yield(GivenStream(stream: $0)) }
            }
            return await streams.first { _ in true }?.stream
        }

        /// `@unchecked Sendable`: a delegate that gives a stream away no longer uses it.
        private struct GivenStream: @unchecked Sendable {
            let stream: InputStream?
        }
    #endif
}

#if canImport(FoundationNetworking)
    extension NSObject {
        func reflected(_ name: String) -> Any? { Reflection.value(name, of: self) }
    }

    private enum Reflection {
        /// Returns the value of a stored property; nil if there is none.
        static func value(_ name: String, of object: Any) -> Any? {
            var mirror: Mirror? = Mirror(reflecting: object)
            while let current = mirror {
                if let child = current.children.first(where: { $0.label == name }) { return unwrapped(child.value) }
                mirror = current.superclassMirror
            }
            return nil
        }

        /// Returns the payload of a case of an enumeration; nil if it has none.
        static func payload(of value: Any) -> Any? { Mirror(reflecting: value).children.first?.value }

        private static func unwrapped(_ value: Any) -> Any? {
            let mirror = Mirror(reflecting: value)
            return mirror.displayStyle == .optional ? mirror.children.first?.value : value
        }
    }
#endif
