// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
    internal import AsyncHTTPClient
    internal import NIOCore
    internal import NIOHTTP1
    internal import Reprise

    extension HTTPClientRequest {
        /// The request as async-http-client has it.
        ///
        /// - Throws: ``TransportError/Code/invalidRequest`` if it does not say where to.
        init(_ request: HTTPRequest, body: Reprise.Body?) throws(TransportError) {
            guard request.scheme == "https" || request.scheme == "http", let authority = request.authority,
                !authority.isEmpty, !authority.contains(where: { $0 == " " || $0 == "/" }), request.path != nil
            else {
                throw TransportError(
                    .invalidRequest,
                    "the request names no origin: expected the scheme http or https, an authority and a path"
                )
            }
            self.init(url: request.urlText)
            // By its name: async-http-client knows which ones have no content.
            method = HTTPMethod(rawValue: request.method.rawValue)
            for field in request.headerFields { headers.add(name: field.name.rawName, value: field.value) }
            guard let body else { return }
            if body.isInMemory {
                var buffer = ByteBuffer()
                for case .bytes(let bytes, _) in body.partsInMemory { buffer.writeBytes(bytes) }
                self.body = .bytes(buffer)
            } else {
                self.body = .stream(
                    UploadBuffers(body: body),
                    length: body.length.map { .known(Int64($0)) } ?? .unknown
                )
            }
        }
    }

    /// A request's content on its way out.
    private struct UploadBuffers: AsyncSequence, Sendable {
        let body: Reprise.Body

        func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(chunks: body.makeAsyncIterator())
        }

        struct AsyncIterator: AsyncIteratorProtocol {
            var chunks: Reprise.Body.AsyncIterator

            @concurrent
            mutating func next() async throws -> ByteBuffer? {
                do {
                    return try await chunks.next().map { ByteBuffer(bytes: $0) }
                } catch {
                    throw UploadFailure(cause: error)
                }
            }
        }
    }

    /// The request's body failed, not the connection.
    struct UploadFailure: Error {
        let cause: any Error
    }

    extension HTTPResponse {
        init(_ response: HTTPClientResponse) {
            var fields = HTTPFields()
            for (name, value) in response.headers {
                guard let name = HTTPField.Name(name) else { continue }
                fields.append(HTTPField(name: name, value: value))
            }
            self.init(
                status: Status(code: Int(response.status.code), reasonPhrase: response.status.reasonPhrase),
                headerFields: fields
            )
        }
    }

    extension HTTPClientResponse {
        /// How long the content will be, if that is known.
        func length(for request: HTTPRequest) -> Int? {
            guard request.method != .head, status != .notModified else { return nil }
            return headers.first(name: "Content-Length").flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
        }
    }

    extension TimeAmount {
        init(_ duration: Duration) {
            let (seconds, attoseconds) = duration.components
            // Deadlines count nanoseconds in 64 bits from some time in the past.
            self = .seconds(min(seconds, 100 * 365 * 86_400)) + .nanoseconds(attoseconds / 1_000_000_000)
        }
    }
#endif
