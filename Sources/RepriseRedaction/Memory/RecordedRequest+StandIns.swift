// SPDX-License-Identifier: Apache-2.0

package import RepriseCassettes
internal import RepriseText

extension RecordedRequest {
    /// Returns the request with the plain marker in place of each stand-in, so that it can be compared with a request
    /// that has the secrets. Bodies in files stay.
    package func replacingStandIns(_ standIns: StandIns) -> RecordedRequest {
        var copy = self
        copy.url = String(decoding: standIns.neutral(Array(url.utf8)), as: UTF8.self)
        for (index, line) in headers.enumerated() {
            let bytes = standIns.neutral(line.bytes)
            if bytes != line.bytes, let neutral = HeaderLine(bytes: bytes) { copy.headers[index] = neutral }
        }
        if case .bytes(let bytes)? = body?.source { copy.body?.source = .bytes(standIns.neutral(bytes)) }
        return copy
    }
}
