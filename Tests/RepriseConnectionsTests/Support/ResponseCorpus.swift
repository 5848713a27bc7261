// SPDX-License-Identifier: Apache-2.0
import RepriseWire

/// Responses from servers: valid, truncated, and hostile.
enum ResponseCorpus {
    static let ok = "HTTP/1.1 200 OK\r\n"

    static let accepted = [
        ok + "Content-Length: 5\r\n\r\nhello",
        ok + "Content-Length: 0\r\n\r\n",
        "HTTP/1.1 204 No Content\r\nX:  y \r\n\r\n",
        "HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n",
        ok + "Connection: close\r\n\r\nuntil the end",
        "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx",
        ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        ok + "Transfer-Encoding: chunked\r\n\r\n1;a=b\r\nx\r\nA\r\n0123456789\r\n0\r\nT: 1\r\nU:2\r\n\r\n",
        ok + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n" + ok + "Content-Length: 1\r\n\r\nx",
        ok + "A: b\r\n c\r\nContent-Length: 1\r\n\r\nx",
        "HTTP/1.1 200\r\nSet-Cookie: a\r\nset-cookie: b\r\nContent-Length: 2\r\n\r\n\r\n",
    ]

    static let truncated = [
        "H", "HTTP/1.1 200 O", ok, ok + "Content-Le", ok + "Content-Length: 5\r\n\r\nhell",
        ok + "Transfer-Encoding: chunked\r\n\r\n", ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhel",
        ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", ok + "Transfer-Encoding: chunked\r\n\r\n0\r\n",
        ok + "Transfer-Encoding: chunked\r\n\r\n0\r\nTrailer: x\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
    ]

    static let rejected: [(input: String, fault: ResponseTranscript.Fault)] = [
        // Smuggling by ambiguous lengths.
        (ok + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n", .malformed(.conflictingContentLength)),
        (ok + "Content-Length: 5\r\nContent-Length: 5\r\n\r\n", .malformed(.conflictingContentLength)),
        (ok + "Content-Length: 5, 5\r\n\r\n", .malformed(.invalidContentLength)),
        (ok + "Content-Length: +5\r\n\r\n", .malformed(.invalidContentLength)),
        (ok + "Content-Length: 99999999999999999999\r\n\r\n", .malformed(.invalidContentLength)),
        (
            ok + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
            .malformed(.contentLengthWithTransferEncoding)
        ),
        (ok + "Transfer-Encoding: gzip\r\n\r\n", .malformed(.unsupportedTransferEncoding)),
        (ok + "Transfer-Encoding: chunked, chunked\r\n\r\n", .malformed(.invalidTransferEncoding)),
        // Lines.
        (ok + "A: b\nC: d\r\n\r\n", .malformed(.bareLineFeed)),
        (ok + " A: b\r\n\r\n", .malformed(.foldedLine)),
        (ok + "A: b\r\n c\r\nD : e\r\n\r\n", .malformed(.foldedLine)),
        (ok + "A : b\r\n\r\n", .malformed(.whitespaceBeforeColon)),
        (ok + "A: b\u{0}\r\n\r\n", .malformed(.invalidFieldValue)),
        ("SSH-2.0-OpenSSH_9.6\r\n", .malformed(.invalidVersion)),
        ("HTTP/2 200\r\n\r\n", .malformed(.unsupportedVersion)),
        // Chunks.
        (ok + "Transfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n", .malformed(.invalidChunkSize)),
        (ok + "Transfer-Encoding: chunked\r\n\r\n-1\r\n", .malformed(.invalidChunkSize)),
        (ok + "Transfer-Encoding: chunked\r\n\r\n11111111111111111\r\n", .malformed(.oversizedChunkSize)),
        (ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhelloworld\r\n", .malformed(.unterminatedChunk)),
        (ok + "Transfer-Encoding: chunked\r\n\r\n5\nhello\r\n", .malformed(.bareLineFeed)),
        (ok + "Transfer-Encoding: chunked\r\n\r\n1;\u{0}\r\nx\r\n", .malformed(.invalidChunkExtension)),
        // Unrequested messages.
        ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", .unexpectedUpgrade),
        (String(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: 33), .interimFlood),
    ]
}
