// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    internal import RepriseConnections

    extension Body {
        init(_ body: IncomingBody) {
            switch body {
            case .whole(let whole): self.init(whole)
            case .stream(let stream): self.init(SocketBody(stream), length: stream.length)
            }
        }

        private init(_ whole: IncomingBody.WholeBody) {
            if whole.chunkSizes.count <= 1, whole.trailers.isEmpty {
                self.init(whole.content)
                return
            }
            var parts: [Part] = []
            var start = 0
            for size in whole.chunkSizes {
                parts.append(.bytes(Array(whole.content[start..<start + size]), endsChunk: true))
                start += size
            }
            if !whole.trailers.isEmpty { parts.append(.trailers(whole.trailers)) }
            self.init(parts: parts)
        }
    }

    private final class SocketBody: BodySource {
        private let stream: BodyStream

        init(_ stream: BodyStream) {
            self.stream = stream
        }

        func next() async throws(TransportError) -> Body.Part? {
            do throws(ConnectionError) {
                return try await stream.next().map { piece in
                    switch piece {
                    case .content(let bytes, let endsChunk): .bytes(bytes, endsChunk: endsChunk)
                    case .trailers(let lines): .trailers(lines)
                    }
                }
            } catch {
                throw TransportError(error)
            }
        }

        func cancel() {
            stream.cancel()
        }
    }
#endif
