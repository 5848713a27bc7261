// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseCassettes
@testable import RepriseRecording
@testable import RepriseText

/// Whether a request as sent matches its recording.
@Suite struct OriginalRequestTests {
    private let sent = RecordedRequest(
        method: "POST",
        url: "http://example.com/a?b=1",
        headers: [HeaderLine(name: "Content-Type", value: "text/plain")]
    )

    /// Returns the fields in which a recording with this body differs from a request that was sent in these pieces.
    private func mismatch(_ pieces: [Int], recorded: [UInt8]) -> String? {
        var original = OriginalRequest(ReceivedRequest(sent), redacted: sent)
        for size in pieces { original.append([UInt8](repeating: 0x78, count: size)) }
        var request = sent
        request.body = RecordedBody(.bytes(recorded))
        return original.mismatch(with: request)
    }

    /// No more than this is kept in memory, and what was not kept is not compared.
    @Test(arguments: [
        ([1], true), ([SpillBuffer.limit], true), ([SpillBuffer.limit - 1, 1], true), ([SpillBuffer.limit, 1], false),
        ([SpillBuffer.limit + 1], false), ([SpillBuffer.limit + 1, 1], false),
    ])
    func bodyIsComparedUpToLimit(pieces: [Int], isCompared: Bool) {
        #expect(mismatch(pieces, recorded: [0x79]) == (isCompared ? "body" : nil))
        let same = [UInt8](repeating: 0x78, count: pieces.reduce(0, +))
        #expect(mismatch(pieces, recorded: same) == nil)
    }

    @Test func secretInHeadIsNoticed() {
        var redacted = sent
        redacted.url = "http://example.com/a?b=[redacted~1]"
        #expect(OriginalRequest(ReceivedRequest(sent), redacted: redacted).isHeadRedacted)
        redacted = sent
        redacted.headers[0] = HeaderLine(name: "Content-Type", value: "text/html")
        #expect(OriginalRequest(ReceivedRequest(sent), redacted: redacted).isHeadRedacted)
        #expect(!OriginalRequest(ReceivedRequest(sent), redacted: sent).isHeadRedacted)
    }
}
