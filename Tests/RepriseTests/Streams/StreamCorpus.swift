// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport

/// Streams of bytes with unusual content.
enum StreamCorpus {
    static let all: [[UInt8]] = texts.map { Array($0.utf8) } + bytes

    private static let texts = [
        "", "\n", "\r", "\r\n", "\n\r", "\r\r\n\n", "a", "a\n", "a\r", "a\r\n", "a\n\n", "\na", "a\rb\nc\r\nd\n\re",
        // The standard's examples: joined lines, comments, IDs set and reset, missing colons, and spaces.
        "data: PUMP\ndata: -3\ndata: 75\n\n",
        ": try\n\ndata: one\nid: 1\n\ndata:two\nid\n\ndata:  three\n\n",
        "data\n\ndata\ndata\n\ndata:", "data:x\n\ndata: x\n\n", "data: a\r\rdata: b\r\n\r\ndata: c\n\n",
        // Events with an ID or a time but no data, and events truncated by the end of the stream.
        "event: e\nid: 7\n\ndata: x\n\n", "id: 7\n\nid: 8\n", "id: 7\ndata: x", "retry: 10\n\ndata: x\n\n",
        "event: a\ndata: x\n\ndata: y\n\n", "event: a\nevent: b\nevent:\nevent: c\ndata: x\n\n",
        // Ignored fields.
        "Data: x\n data: y\ndata : z\n\n", "dat: x\ndatas: y\nx\n\ndata: z\n\n", ":\n:data: x\n::\n\n",
        "id: a\0b\ndata: x\n\n", "id: a\nid: \0\ndata: x\n\n", "\0id: a\n\0data: b\ndata: c\n\n",
        "retry: 1x\nretry: -1\nretry: 1.5\nretry:\nretry\ndata: x\n\n", "retry:  5\ndata: x\n\n",
        "retry: 007\ndata: x\n\n", "retry: 99999999999999999999999\ndata: x\n\n", "retry: \u{0665}\ndata: x\n\n",
        // A byte order mark at the start, twice, alone, on a blank line, in the middle, and as a part of a name.
        "\u{FEFF}data: x\n\n", "\u{FEFF}\u{FEFF}data: x\n\ndata: y\n\n", "\u{FEFF}", "\u{FEFF}\n\ndata: x\n\n",
        "data: \u{FEFF}x\n\n\u{FEFF}data: y\n\n", "\n\u{FEFF}data: x\n\n", "\u{FEFF}:\r\ndata: x\r\n\r\n",
        // Characters of two, three, and four bytes, and characters that are line ends elsewhere.
        "data: \u{E9}\u{20AC}\u{1F600}\n\n", "event: \u{E9}\nid: \u{1F600}\ndata: e\u{301}\r\n\r\n",
        "data: a\u{85}b\u{2028}c\u{B}d\u{C}e\n\n", "\u{1F468}\u{200D}\u{1F469}\r\n\u{20AC}",
    ]

    private static let bytes: [[UInt8]] = [
        [0xEF], [0xEF, 0xBB], [0xEF, 0xBB, 0x0A], [0xEF, 0xBB, 0xBF], [0xEF, 0xBB, 0xBF, 0xEF], [0xFE, 0xFF, 0x0A],
        [0xEF, 0xBB, 0x0A, 0xBF] + Array("data: x\n\n".utf8),
        // A lone continuation byte, overlong forms, a surrogate, a value beyond U+10FFFF, and truncated characters.
        [0x80, 0x0A, 0xC0, 0xAF, 0x0A, 0xE0, 0x80, 0xAF, 0x0A, 0xED, 0xA0, 0x80, 0x0A, 0xF4, 0x90, 0x80, 0x80],
        [0xE2, 0x82, 0x0A, 0xAC, 0x0D, 0xF0, 0x9F, 0x98, 0x0D, 0x0A, 0x80, 0xFF],
        Array("data: ".utf8) + [0xE2, 0x82, 0x0A] + Array("data:".utf8) + [0xAC, 0xFF, 0x0A, 0x0A],
        Array("event: ".utf8) + [0xC3, 0x0D] + Array("id: ".utf8) + [0xF0, 0x9F, 0x0D] + Array("data\r\r".utf8),
        Array("dat".utf8) + [0xC3, 0xA1, 0x3A, 0x20, 0x78, 0x0A, 0xC3, 0x0A, 0x0A],
    ]

    /// A random stream, generated from `seed`, whose parts are significant in some position.
    static func generated(seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        let parts =
            [
                "data", "data: ", "data:", "event", "event: a", "id: 5", "id", "retry: 1", ":", " ", "x", "\0",
                "\u{FEFF}",
            ]
            + ["\u{1F600}", String(repeating: "long ", count: 20)]
        let ends = ["\n", "\r", "\r\n", "\n\n", "\r\r", "\r\n\r\n"]
        var bytes: [UInt8] = Bool.random(using: &random) ? [] : [0xEF, 0xBB, 0xBF]
        for _ in 0..<Int.random(in: 0...30, using: &random) {
            switch Int.random(in: 0...9, using: &random) {
            case 0...5: bytes += Array(parts.randomElement(using: &random)!.utf8)
            case 6: bytes.append(UInt8.random(in: 0...255, using: &random))
            default: bytes += Array(ends.randomElement(using: &random)!.utf8)
            }
        }
        return bytes
    }
}
