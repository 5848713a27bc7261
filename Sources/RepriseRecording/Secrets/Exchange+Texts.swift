// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseRedaction
internal import RepriseText

extension Exchange {
    /// Calls `body` with each text that was sent or received, except bodies in files. The steps of a stream are one
    /// text. A compressed body is passed as received and decoded.
    func forEachText(_ body: ([UInt8]) -> Void) {
        body(Array(request.url.utf8))
        if let base = request.base { body(Array(base.utf8)) }
        for line in request.headers + request.trailers { body(line.bytes) }
        func visit(_ bytes: [UInt8], _ headers: [HeaderLine]) {
            body(bytes)
            if let decoded = CodedBody.decoded(bytes, headers: headers) { body(decoded) }
        }
        if case .bytes(let bytes)? = request.body?.source { visit(bytes, request.headers) }
        guard case .response(let response) = outcome else { return }
        body(response.reasonBytes)
        for line in response.headers + response.trailers { body(line.bytes) }
        for informational in response.informational {
            body(informational.reasonBytes)
            for line in informational.headers { body(line.bytes) }
        }
        switch response.content {
        case .none: break
        case .body(let content):
            if case .bytes(let bytes) = content.source { visit(bytes, response.headers) }
        case .stream(let steps):
            let bytes = steps.map { step in
                if case .bytes(let bytes) = step.event { bytes } else { [UInt8]() }
            }
            visit(Array(bytes.joined()), response.headers)
        }
    }
}
