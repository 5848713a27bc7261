// SPDX-License-Identifier: Apache-2.0

import Reprise

/// Everything that a client sees of a response.
struct Observation: Equatable, CustomStringConvertible {
    var status: Int?
    var head: String?
    var fields: [String] = []
    /// The chunks of a chunked response; otherwise, the content as one chunk.
    var chunks: [[UInt8]] = []
    var trailers: [[UInt8]]?
    var ending: Ending?
    var failure: String?
    var path: String?

    /// Sends a request and reads the response to its end.
    init(of request: HTTPRequest, body: Body? = nil, with transport: any Transport) async {
        do throws(TransportError) {
            await self.init(try await transport.send(request, body: body, options: RequestOptions()))
        } catch {
            self.init(failure: error.code.rawValue)
        }
    }

    private init(failure: String) {
        self.failure = failure
    }

    init(_ response: Response) async {
        status = response.status.code
        head = response.rawHead.map { String(decoding: $0.bytes, as: UTF8.self) }
        fields = response.headers.map { "\($0.name.rawName): \($0.value)" }
        path = response.url.map { String($0.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" }) }
        var isChunkOpen = false
        let isChunked = response.headers[.transferEncoding] != nil
        do {
            for try await part in response.body.parts {
                guard case .bytes(let bytes, let endsChunk) = part else { continue }
                if isChunkOpen || (!isChunked && !chunks.isEmpty) {
                    chunks[chunks.count - 1] += bytes
                } else {
                    chunks.append(bytes)
                }
                isChunkOpen = !endsChunk
            }
        } catch let error as TransportError {
            failure = error.code.rawValue
        } catch {
            failure = "\(error)"
        }
        ending = response.ending
        trailers = response.body.rawTrailers
    }

    var text: String { String(decoding: chunks.joined(), as: UTF8.self) }

    var description: String {
        """
        \(status.map(String.init) ?? "no response") \(failure ?? "") \(ending.map { "\($0)" } ?? "") \(path ?? "")
        \(head ?? "no head")\(chunks.map { String(decoding: $0, as: UTF8.self).debugDescription }.joined(separator: " | "))
        trailers: \(trailers.map { "\($0.map { String(decoding: $0, as: UTF8.self) })" } ?? "none")
        """
    }
}
