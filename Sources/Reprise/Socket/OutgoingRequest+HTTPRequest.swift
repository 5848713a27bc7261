// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    internal import RepriseConnections

    extension OutgoingRequest {
        /// Creates the request to send over a connection.
        ///
        /// - Throws: ``TransportError/Code/invalidRequest`` if the request has no valid origin.
        init(_ request: HTTPRequest, body: Body?, options: RequestOptions) throws(TransportError) {
            guard let scheme = request.scheme, let authority = request.authority, let path = request.path,
                let origin = Origin(scheme: scheme, authority: authority)
            else { throw TransportError(withoutOrigin: request) }
            var fields = request.headerFields.withJoinedCookies.map { Field($0.name.rawName, $0.value) }
            if request.mayAskForGzip { fields.append(Field("Accept-Encoding", "gzip")) }
            self.init(
                request.method.rawValue,
                path.isEmpty ? "/" : path,
                at: origin,
                fields: fields,
                body: OutgoingBody(body)
            )
            self.authority = authority
            connectTimeout = options.connectTimeout
            switch options.timeoutScope {
            case .head: headTimeout = options.timeout
            case .wholeResponse: totalTimeout = options.timeout
            }
        }
    }

    extension OutgoingBody {
        init(_ body: Body?) {
            switch body?.storage {
            case nil:
                self = .none
            case .bytes(let bytes):
                self = .bytes(bytes)
            case .parts, .broken, .source, .sequence, .file:
                let upload = BodyPieces(body ?? .empty)
                self = .stream(length: body?.length) { try await upload.next() }
            }
        }
    }

    private final class BodyPieces: @unchecked Sendable {
        // Sendable because a connection requests one piece at a time, and the next only after it has received the
        // previous one.
        private var chunks: Body.AsyncIterator?
        private let body: Body

        init(_ body: Body) {
            self.body = body
        }

        func next() async throws -> [UInt8]? {
            var iterator = chunks ?? body.makeAsyncIterator()
            defer { chunks = iterator }
            return try await iterator.next()
        }
    }
#endif
