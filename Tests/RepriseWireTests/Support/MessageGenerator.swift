// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport

/// Generates the requests of connections, some valid, some with faults. The same seed generates the same bytes.
struct MessageGenerator {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// One to three requests. In half of the cases, one or two bytes are replaced, inserted, or removed.
    mutating func connection() -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 1...3, using: &random) { bytes += request() }
        if Bool.random(using: &random) { mutate(&bytes) }
        return bytes
    }

    /// Up to six positions at which to split `count` bytes.
    mutating func cuts(of count: Int) -> [Int] {
        (0..<Int.random(in: 1...6, using: &random)).map { _ in Int.random(in: 0...count, using: &random) }.sorted()
    }

    private mutating func request() -> [UInt8] {
        let method = pick(["GET", "HEAD", "POST", "OPTIONS", "CONNECT", "X-1"])
        let target = pick(["/", "/a/b?c", "*", "h:80", "http://h/p?q", "/%41?", "//", "/\u{E9}"])
        let version = pick(["1.1", "1.1", "1.1", "1.0", "1.2", "2.0"])
        var head = "\(method) \(target) HTTP/\(version)\r\n"
        for _ in 0..<Int.random(in: 0...4, using: &random) { head += line() + "\r\n" }
        if version != "1.0" { head += "Host: \(pick(["h", "", "a.b:80", "[::1]"]))\r\n" }
        let body = body()
        return RepriseWireTests.bytes(head + body)
    }

    private mutating func line() -> String {
        pick([
            "A: b", "Accept:", "X-Y: \t z \t", "Connection: close", "Connection: keep-alive, TE", "Content-Type: a/b",
            "Expect: 100-continue", "Content-Length: 0", "Cookie: a=b; c=d", "Transfer-Encoding: gzip", "E: \u{FF}",
        ])
    }

    private mutating func body() -> String {
        switch Int.random(in: 0...3, using: &random) {
        case 0: return "\r\n"
        case 1:
            let count = Int.random(in: 0...20, using: &random)
            return "Content-Length: \(count)\r\n\r\n" + String(repeating: "b", count: count)
        default:
            var body = "Transfer-Encoding: chunked\r\n\r\n"
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let count = Int.random(in: 1...20, using: &random)
                body += String(count, radix: 16, uppercase: Bool.random(using: &random))
                body += pick(["", ";a", " ; a = b", ";a=\"b;\\\"\"", ";a;b=c"]) + "\r\n"
                body += String(repeating: "c", count: count) + "\r\n"
            }
            return body
                + pick(["0\r\n\r\n", "00\r\n\r\n", "0;a\r\n\r\n", "0\r\nT: u\r\n\r\n", "0\r\nT: u\r\nV:\r\n\r\n"])
        }
    }

    private mutating func mutate(_ bytes: inout [UInt8]) {
        let special = RepriseWireTests.bytes("\r\n\t \u{0}:;,=\"0a/?#*%\u{7F}\u{80}")
        for _ in 0..<Int.random(in: 1...2, using: &random) where !bytes.isEmpty {
            let index = bytes.indices.randomElement(using: &random)!
            switch Int.random(in: 0...2, using: &random) {
            case 0: bytes[index] = special.randomElement(using: &random)!
            case 1: bytes.insert(special.randomElement(using: &random)!, at: index)
            default: bytes.remove(at: index)
            }
        }
    }

    private mutating func pick(_ choices: [String]) -> String { choices.randomElement(using: &random)! }
}
