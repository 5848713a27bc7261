// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
    internal import AsyncHTTPClient
    internal import NIOCore
    internal import NIOHTTP1
    internal import Reprise

    extension HTTPClientRequest {
        /// Creates a request for async-http-client.
        ///
        /// - Throws: ``TransportError/Code/invalidRequest`` if the request has no valid origin.
        init(_ request: HTTPRequest, body: Reprise.Body?) throws(TransportError) {
            guard request.scheme == "https" || request.scheme == "http", let authority = request.authority,
                !authority.isEmpty, !authority.contains(where: { $0 == " " || $0 == "/" }), request.path != nil
            else {
                throw TransportError(
                    .invalidRequest,
                    "the request has no valid origin: expected the scheme http or https, an authority and a path"
                )
            }
            self.init(url: request.urlText)
            // This initializer returns the enum case of a known method. async-http-client compares with these cases to
            // find out which methods have no content.
            method = HTTPMethod(rawValue: request.method.rawValue)
            for field in request.headerFields.withJoinedCookies {
                headers.add(name: field.name.rawName, value: field.value)
            }
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

    /// An error of the request's body, as opposed to the connection.
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
        /// Returns the length of the content, if it is known.
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
