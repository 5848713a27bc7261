// SPDX-License-Identifier: Apache-2.0
import RepriseWire
import Testing

/// Valid and invalid requests, for tests of properties that all of them share.
enum RequestCorpus {
    /// An invalid message, with the expected error and status.
    struct Rejected: Sendable, CustomTestStringConvertible {
        let input: String
        let kind: ParsingError.Kind
        let status: Int

        init(_ input: String, _ kind: ParsingError.Kind, _ status: Int = 400) {
            self.input = input
            self.kind = kind
            self.status = status
        }

        var testDescription: String { "\(kind) \(input.debugDescription.prefix(60))" }
    }

    static let accepted: [String] = [
        get(), get("Accept: */*"), "\r\n" + get(), "\r\n\r\n\r\n\r\n" + get(),
        "GET /a%20b?x=%zz&y HTTP/1.1\r\nHost: h\r\n\r\n", "GET /?a?b HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /{a}|[b]\"<>^`\\ HTTP/1.1\r\nHost: h\r\n\r\n", "GET /\u{C3}\u{A4} HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET //a/../b HTTP/1.1\r\nHost: h\r\n\r\n", "GET /a:b@c HTTP/1.1\r\nHost: h\r\n\r\n",
        "get / HTTP/1.1\r\nHost: h\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET / HTTP/1.0\r\n\r\n", "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
        "GET / HTTP/1.9\r\nHost: h\r\n\r\n", "CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n",
        "GET http://a.example/b?c HTTP/1.1\r\nHost: other\r\n\r\n", "GET http://a.example HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET http://a.example?q HTTP/1.1\r\nHost: a\r\n\r\n", "GET HTTPS://[::1]:80/ HTTP/1.1\r\nHost: a\r\n\r\n",
        get("X:"), get("X: "), get("X: \t a \t b \t "), get("X: \u{E9}\u{FF}\u{80}"), get("!#$%&'*+-.^_`|~: odd"),
        get("Content-Length: 0"), get("Connection: close, TE"), get("Connection: Keep-Alive"),
        post("Content-Length: 5", "hello"), post("content-LENGTH: 005", "hello"),
        post("Content-Length: 5\r\nExpect: 100-continue", "hello"),
        post("Transfer-Encoding: chunked", "5\r\nhello\r\n0\r\n\r\n"),
        post("TRANSFER-encoding:\tChunked ", "5;a;b=c;d=\"e\\\"f\"\r\nhello\r\n000\r\nA: b\r\nC:\r\n\r\n"),
        post("Transfer-Encoding: chunked", "A ; a = b\r\n0123456789\r\n0;x\r\n\r\n"),
        "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
        get("Content-Length: 3") + "abc" + get() + post("Transfer-Encoding: chunked", "1\r\nx\r\n0\r\n\r\n") + get(),
        get() + "\r\n" + get(),
    ]

    /// RFC 9112 sections 2.3, 3 and 3.2.
    static let rejectedRequestLines: [Rejected] = [
        Rejected(" / HTTP/1.1\r\nHost: h\r\n\r\n", .emptyMethod),
        Rejected("\tGET / HTTP/1.1\r\nHost: h\r\n\r\n", .invalidMethod),
        Rejected("G(T / HTTP/1.1\r\nHost: h\r\n\r\n", .invalidMethod),
        Rejected("\u{16}\u{03}\u{01}\u{00}\u{A5}\u{01}", .invalidMethod),
        Rejected("GET\t/ HTTP/1.1\r\nHost: h\r\n\r\n", .invalidMethod),
        Rejected(String(repeating: "A", count: 65) + " / HTTP/1.1\r\nHost: h\r\n\r\n", .oversizedMethod, 501),
        Rejected("GET\r\n\r\n", .missingTarget), Rejected("GET \r\n\r\n", .missingTarget),
        Rejected("GET  / HTTP/1.1\r\nHost: h\r\n\r\n", .invalidTarget),
        Rejected("GET /\t HTTP/1.1\r\nHost: h\r\n\r\n", .invalidTarget),
        Rejected("GET /\u{0} HTTP/1.1\r\nHost: h\r\n\r\n", .invalidTarget),
        Rejected("GET /\u{7F} HTTP/1.1\r\nHost: h\r\n\r\n", .invalidTarget),
        Rejected("GET /#a HTTP/1.1\r\nHost: h\r\n\r\n", .invalidTarget),
        Rejected("GET a HTTP/1.1\r\nHost: h\r\n\r\n", .invalidTarget),
        Rejected("GET ?a HTTP/1.1\r\nHost: h\r\n\r\n", .invalidTarget),
        Rejected("GET * HTTP/1.1\r\nHost: h\r\n\r\n", .invalidTarget),
        Rejected("OPTIONS ** HTTP/1.1\r\nHost: h\r\n\r\n", .invalidTarget),
        Rejected("GET h:80 HTTP/1.1\r\nHost: h\r\n\r\n", .invalidTarget),
        Rejected("GET http:/a HTTP/1.1\r\nHost: h\r\n\r\n", .invalidTarget),
        Rejected("GET http:///a HTTP/1.1\r\nHost: h\r\n\r\n", .invalidTarget),
        Rejected("GET http:// HTTP/1.1\r\nHost: h\r\n\r\n", .invalidTarget),
        Rejected("GET http://u@h/ HTTP/1.1\r\nHost: h\r\n\r\n", .invalidTarget),
        Rejected("GET 1ttp://h/ HTTP/1.1\r\nHost: h\r\n\r\n", .invalidTarget),
        Rejected("GET ht_p://h/ HTTP/1.1\r\nHost: h\r\n\r\n", .invalidTarget),
        Rejected("CONNECT h HTTP/1.1\r\nHost: h\r\n\r\n", .invalidTarget),
        Rejected("CONNECT h: HTTP/1.1\r\nHost: h\r\n\r\n", .invalidTarget),
        Rejected("CONNECT / HTTP/1.1\r\nHost: h\r\n\r\n", .invalidTarget),
        Rejected("CONNECT http://h:80/ HTTP/1.1\r\nHost: h\r\n\r\n", .invalidTarget),
        Rejected("GET /\r\n\r\n", .missingVersion), Rejected("GET / \r\n\r\n", .missingVersion),
        Rejected("GET /\n", .missingVersion),
        Rejected("GET /  HTTP/1.1\r\nHost: h\r\n\r\n", .invalidVersion),
        Rejected("GET / HTTP/1.1 \r\nHost: h\r\n\r\n", .invalidVersion),
        Rejected("GET / http/1.1\r\nHost: h\r\n\r\n", .invalidVersion),
        Rejected("GET / HTTP/+1.-1\r\nHost: h\r\n\r\n", .invalidVersion),
        Rejected("GET / HTTP/11.1\r\nHost: h\r\n\r\n", .invalidVersion),
        Rejected("GET / HTTP/1.10\r\nHost: h\r\n\r\n", .invalidVersion),
        Rejected("GET / HTTP/1\r\nHost: h\r\n\r\n", .invalidVersion),
        Rejected("GET / HTTP/1.\r\nHost: h\r\n\r\n", .invalidVersion),
        Rejected("GET / HTTP 1.1\r\nHost: h\r\n\r\n", .invalidVersion),
        Rejected("GET / HTTPS/1.1\r\nHost: h\r\n\r\n", .invalidVersion),
        Rejected("GET / ICY/1.1\r\nHost: h\r\n\r\n", .invalidVersion),
        Rejected("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .unsupportedVersion, 505),
        Rejected("GET / HTTP/2.0\r\nHost: h\r\n\r\n", .unsupportedVersion, 505),
        Rejected("GET / HTTP/3.1\r\nHost: h\r\n\r\n", .unsupportedVersion, 505),
        Rejected("GET / HTTP/0.9\r\nHost: h\r\n\r\n", .unsupportedVersion, 505),
        Rejected("\r\n\r\n\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", .excessiveEmptyLines),
    ]

    /// RFC 9112 sections 2.2, 5.1 and 5.2.
    static let rejectedLines: [Rejected] = [
        Rejected("\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", .bareLineFeed),
        Rejected("\rGET / HTTP/1.1\r\nHost: h\r\n\r\n", .bareCarriageReturn),
        Rejected("GET / HTTP/1.1\nHost: h\r\n\r\n", .bareLineFeed),
        Rejected("GET / HTTP/1.1\rHost: h\r\n\r\n", .bareCarriageReturn),
        Rejected("GET / HTTP/1.1\r\r\nHost: h\r\n\r\n", .bareCarriageReturn),
        Rejected("GET / HTTP/1.1\r\nHost: h\n\r\n", .bareLineFeed),
        Rejected("GET / HTTP/1.1\r\nHost: h\r\n\n", .bareLineFeed),
        Rejected("GET / HTTP/1.1\r\nHost: h\r\n\rX", .bareCarriageReturn),
        Rejected(get("X: a\rb"), .bareCarriageReturn), Rejected(get("X: a\r\r\nY: b"), .bareCarriageReturn),
        Rejected(get("X: a\nY: b"), .bareLineFeed), Rejected(get("X: a\u{0}b"), .invalidFieldValue),
        Rejected(get("X: a\u{1}b"), .invalidFieldValue), Rejected(get("X: a\u{B}b"), .invalidFieldValue),
        Rejected(get("X: \u{7F}"), .invalidFieldValue), Rejected(get("X:\u{C}y"), .invalidFieldValue),
        Rejected(get("X : a"), .whitespaceBeforeColon), Rejected(get("X\t: a"), .whitespaceBeforeColon),
        Rejected(get("Content-Length : 5"), .whitespaceBeforeColon), Rejected(get(": a"), .emptyFieldName),
        Rejected(get(" X: a"), .foldedLine), Rejected(get("X: a\r\n b"), .foldedLine),
        Rejected(get("X: a\r\n\tb: c"), .foldedLine), Rejected(get("X: a\r\n "), .foldedLine),
        Rejected("GET / HTTP/1.1\r\n Host: h\r\n\r\n", .foldedLine),
        Rejected("GET / HTTP/1.1\r\n\tHost: h\r\n\r\n", .foldedLine),
        Rejected(get("X"), .missingColon), Rejected(get("X\nY: a"), .missingColon),
        Rejected(get("(: a"), .invalidFieldName), Rejected(get("X(: a"), .invalidFieldName),
        Rejected(get("X\u{0}: a"), .invalidFieldName), Rejected(get("X\u{E9}: a"), .invalidFieldName),
        Rejected(get("\u{0}: a"), .invalidFieldName), Rejected(get("X\"Y\": a"), .invalidFieldName),
    ]

    /// RFC 9112 sections 3.2, 6.1 to 6.3; RFC 9110 section 10.1.1.
    static let rejectedFields: [Rejected] = [
        Rejected("GET / HTTP/1.1\r\n\r\n", .missingHost), Rejected("GET http://h/ HTTP/1.1\r\n\r\n", .missingHost),
        Rejected("GET / HTTP/1.2\r\nX: y\r\n\r\n", .missingHost), Rejected(get("Host: h"), .repeatedHost),
        Rejected(get("HOST:"), .repeatedHost), Rejected("GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n", .repeatedHost),
        Rejected(host("a,b"), .invalidHost), Rejected(host("a b"), .invalidHost), Rejected(host("a/b"), .invalidHost),
        Rejected(host("u@h"), .invalidHost), Rejected(host("http://h"), .invalidHost),
        Rejected(host(":80"), .invalidHost),
        Rejected(host("h:8x"), .invalidHost), Rejected(host("h:65536"), .invalidHost),
        Rejected(host("[::1"), .invalidHost),
        Rejected(host("\u{E9}"), .invalidHost), Rejected(host("h%2"), .invalidHost), Rejected(host("h?"), .invalidHost),
        Rejected("GET / HTTP/1.0\r\nHost: a b\r\n\r\n", .invalidHost),
        Rejected("GET http://h/ HTTP/1.1\r\nHost: a b\r\n\r\n", .invalidHost),
        Rejected(get("Content-Length: 5\r\nContent-Length: 5"), .conflictingContentLength),
        Rejected(get("Content-Length: 5\r\nContent-Length: 6"), .conflictingContentLength),
        Rejected(get("Content-Length: 5, 5"), .invalidContentLength),
        Rejected(get("Content-Length: +5"), .invalidContentLength),
        Rejected(get("Content-Length: -5"), .invalidContentLength),
        Rejected(get("Content-Length:"), .invalidContentLength),
        Rejected(get("Content-Length: x"), .invalidContentLength),
        Rejected(get("Content-Length: 5 5"), .invalidContentLength),
        Rejected(get("Content-Length: 0x5"), .invalidContentLength),
        Rejected(get("Content-Length: 5.0"), .invalidContentLength),
        Rejected(get("Content-Length: \u{B2}"), .invalidContentLength),
        Rejected(get("Content-Length: 9223372036854775808"), .invalidContentLength),
        Rejected(get("Content-Length: 18446744073709551621"), .invalidContentLength),
        Rejected(get("Content-Length: 5\r\nTransfer-Encoding: chunked"), .contentLengthWithTransferEncoding),
        Rejected(get("Transfer-Encoding: chunked\r\nContent-Length: 5"), .contentLengthWithTransferEncoding),
        Rejected(get("Transfer-Encoding:"), .invalidTransferEncoding),
        Rejected(get("Transfer-Encoding: chunked, chunked"), .invalidTransferEncoding),
        Rejected(get("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"), .invalidTransferEncoding),
        Rejected(get("Transfer-Encoding: chunked, gzip"), .invalidTransferEncoding),
        Rejected(get("Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip"), .invalidTransferEncoding),
        Rejected(get("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity"), .invalidTransferEncoding),
        Rejected(get("Transfer-Encoding: gzip, chunked\r\nTransfer-Encoding: gzip"), .invalidTransferEncoding),
        Rejected(get("Transfer-Encoding: gzip\r\nTransfer-Encoding: identity"), .invalidTransferEncoding),
        Rejected(get("Transfer-Encoding: gzip\r\nContent-Length: 5"), .contentLengthWithTransferEncoding),
        Rejected(get("Transfer-Encoding: chunked,"), .invalidTransferEncoding),
        Rejected(get("Transfer-Encoding: ,chunked"), .invalidTransferEncoding),
        Rejected(get("Transfer-Encoding: chunked;q=1"), .invalidTransferEncoding),
        Rejected(get("Transfer-Encoding: \"chunked\""), .invalidTransferEncoding),
        Rejected(get("Transfer-Encoding: chun ked"), .invalidTransferEncoding),
        Rejected(get("Transfer-Encoding: chunked\u{A0}"), .invalidTransferEncoding),
        Rejected(get("Transfer-Encoding: xchunked"), .unsupportedTransferEncoding, 501),
        Rejected(get("Transfer-Encoding: identity"), .unsupportedTransferEncoding, 501),
        Rejected(get("Transfer-Encoding: gzip"), .unsupportedTransferEncoding, 501),
        Rejected(get("Transfer-Encoding: gzip;q=1, chunked"), .unsupportedTransferEncoding, 501),
        Rejected(get("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked"), .unsupportedTransferEncoding, 501),
        Rejected(get("Expect: 200-ok"), .unsupportedExpectation, 417),
        Rejected(get("Expect: 100-continue, x"), .unsupportedExpectation, 417),
        Rejected(get("Content-Length: 67108865"), .oversizedBody, 413),
        Rejected(get("Content-Length: 9223372036854775807"), .oversizedBody, 413),
    ]

    /// RFC 9112 section 7.1.
    static let rejectedChunks: [Rejected] = [
        Rejected(chunked("0x5\r\nhello\r\n0\r\n\r\n"), .invalidChunkSize),
        Rejected(chunked("+5\r\nhello\r\n0\r\n\r\n"), .invalidChunkSize),
        Rejected(chunked("-0\r\n\r\n"), .invalidChunkSize), Rejected(chunked("-5\r\nhello\r\n"), .invalidChunkSize),
        Rejected(chunked("g\r\n"), .invalidChunkSize), Rejected(chunked("\r\n"), .invalidChunkSize),
        Rejected(chunked(" 5\r\nhello\r\n"), .invalidChunkSize), Rejected(chunked(";a\r\n"), .invalidChunkSize),
        Rejected(chunked("5_0\r\n"), .invalidChunkSize), Rejected(chunked("5,\r\n"), .invalidChunkSize),
        Rejected(chunked("5\nhello\r\n"), .bareLineFeed), Rejected(chunked("5\rhello\r\n"), .bareCarriageReturn),
        Rejected(chunked("00000000000000005\r\nhello\r\n0\r\n\r\n"), .oversizedChunkSize),
        Rejected(chunked("8000000000000000\r\n"), .oversizedChunkSize),
        Rejected(chunked("FFFFFFFFFFFFFFFF\r\n"), .oversizedChunkSize),
        Rejected(chunked("7FFFFFFFFFFFFFFF\r\n"), .oversizedBody, 413),
        Rejected(chunked("4000001\r\n"), .oversizedBody, 413),
        Rejected(chunked("5\r\nhello0\r\n\r\n"), .unterminatedChunk),
        Rejected(chunked("5\r\nhello\n0\r\n\r\n"), .unterminatedChunk),
        Rejected(chunked("5\r\nhello\rx\r\n\r\n"), .unterminatedChunk),
        Rejected(chunked("5\r\nhello!\r\n0\r\n\r\n"), .unterminatedChunk),
        Rejected(chunked("5 \r\nhello\r\n0\r\n\r\n"), .invalidChunkExtension),
        Rejected(chunked("5;\r\nhello\r\n"), .invalidChunkExtension),
        Rejected(chunked("5 a\r\nhello\r\n"), .invalidChunkExtension),
        Rejected(chunked("5;a=\r\nhello\r\n"), .invalidChunkExtension),
        Rejected(chunked("5;a \r\nhello\r\n"), .invalidChunkExtension),
        Rejected(chunked("5;a=b \r\nhello\r\n"), .invalidChunkExtension),
        Rejected(chunked("5;a=b=c\r\nhello\r\n"), .invalidChunkExtension),
        Rejected(chunked("5;a=\"b\r\nhello\r\n"), .invalidChunkExtension),
        Rejected(chunked("5;a=\"b\"c\r\nhello\r\n"), .invalidChunkExtension),
        Rejected(chunked("5;a=\"\\\r\n\"\r\nhello\r\n"), .invalidChunkExtension),
        Rejected(chunked("5;\u{0}\r\nhello\r\n"), .invalidChunkExtension),
        Rejected(chunked("5;a\nb\r\nhello\r\n"), .bareLineFeed),
        Rejected(chunked("5;a=\"\n\"\r\nhello\r\n"), .bareLineFeed),
        Rejected(chunked("5;a\rb\r\nhello\r\n"), .bareCarriageReturn),
        Rejected(chunked("0\r\n\rX"), .bareCarriageReturn), Rejected(chunked("0\r\n\n"), .bareLineFeed),
        Rejected(chunked("0\r\nA : b\r\n\r\n"), .whitespaceBeforeColon),
        Rejected(chunked("0\r\nA: b\r\n c\r\n\r\n"), .foldedLine), Rejected(chunked("0\r\nA\r\n\r\n"), .missingColon),
        Rejected(chunked("0\r\nA: b\n\r\n"), .bareLineFeed),
        Rejected(chunked("0\r\nA: \u{0}\r\n\r\n"), .invalidFieldValue),
        Rejected(chunked("0\r\nA: b\r\n\rX"), .bareCarriageReturn),
        Rejected(chunked("0\r\nGET / HTTP/1.1\r\n\r\n"), .whitespaceBeforeColon),
    ]

    static let rejected = rejectedRequestLines + rejectedLines + rejectedFields + rejectedChunks

    /// A GET request with these lines after Host.
    static func get(_ lines: String...) -> String {
        "GET / HTTP/1.1\r\nHost: h\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n"
    }

    static func post(_ line: String, _ body: String) -> String {
        "POST /p HTTP/1.1\r\nHost: h\r\n\(line)\r\n\r\n\(body)"
    }

    static func chunked(_ body: String) -> String { post("Transfer-Encoding: chunked", body) }

    static func host(_ value: String) -> String { "GET / HTTP/1.1\r\nHost: \(value)\r\n\r\n" }
}
