// SPDX-License-Identifier: Apache-2.0

/// Reads connections from standard input, one per line in hexadecimal, and prints the parser's result for each: the
/// complete messages, then `close`, `more`, or `error KIND`. compare_llhttp.py compares it with that of another parser.
@main
struct VerdictDriver {
    static func main() {
        while let line = readLine() {
            print(verdict(of: decodeHexadecimal(line)))
        }
    }

    /// A server closes the connection if the head requires it, and never reads what follows.
    private static func verdict(of input: [UInt8]) -> String {
        var messages: [String] = []
        var parser = RequestParser()
        var offset = 0
        do throws(ParsingError) {
            while try parser.parseHead(input.span.extracting(offset..<input.count)) {
                let head = Array(input[offset...])
                let isKeepAlive = parser.head.isKeepAlive
                let summary = summary(of: parser.head, in: head)
                offset += parser.head.length
                var decoder = BodyDecoder(parser.head.body, limit: 1 << 20)
                parser.reset()
                let (body, isComplete) = try read(&decoder, input, &offset)
                guard isComplete else { break }
                messages.append(summary + " " + hexadecimal(body[...]))
                guard isKeepAlive else { return (messages + ["close"]).joined(separator: "|") }
            }
            return (messages + ["more"]).joined(separator: "|")
        } catch {
            return (messages + ["error \(error.kind)"]).joined(separator: "|")
        }
    }

    private static func summary(of head: RequestHead, in input: [UInt8]) -> String {
        var fields = ""
        for field in head.fields {
            fields += hexadecimal(input[field.name]) + "=" + hexadecimal(input[field.value]) + ","
        }
        return "\(hexadecimal(input[head.method])) \(hexadecimal(input[head.target])) 1.\(head.minorVersion) \(fields)"
    }

    private static func read(
        _ decoder: inout BodyDecoder,
        _ input: [UInt8],
        _ offset: inout Int
    ) throws(ParsingError) -> (body: [UInt8], isComplete: Bool) {
        var body: [UInt8] = []
        while true {
            let event = try decoder.decode(input.span, from: offset)
            offset = event.consumedTo
            switch event {
            case .data(let range): body += input[range]
            case .chunkStart, .chunkEnd: continue
            case .end: return (body, true)
            case .needsMore: return (body, false)
            }
        }
    }

    private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String {
        var text = ""
        for byte in bytes { text += (byte < 16 ? "0" : "") + String(byte, radix: 16) }
        return text
    }

    private static func decodeHexadecimal(_ line: String) -> [UInt8] {
        let digits = line.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    }
}
