// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension DecodedTextScanner {
    /// Words for a code in languages that are not written in Latin letters.
    private static let codeNames = [
        "验证码", "驗證碼", "校验码", "动态码", "認証コード", "確認コード", "認証番号", "인증번호", "인증 번호", "код", "Код",
    ].map { Array($0.utf8) }

    /// What can stand between a word for a code and the code.
    private static let separators = [" ", ":", "：", "-", "[", "【", "「", "\"", "是", "为", "為", "は", "는", "은"].map {
        Array($0.utf8)
    }
    /// The maximum number of separators.
    private static let maximumCount = 4

    /// Looks for codes of 4 to 8 digits shortly after a word for a code: `認証コード：482913`.
    mutating func lookAtCodesInOtherScripts(_ text: Span<UInt8>) {
        var index = 0
        while index < text.count {
            guard isDigit(text[index]) else {
                index += 1
                continue
            }
            let start = index
            while index < text.count, isDigit(text[index]) { index += 1 }
            guard 4...8 ~= index - start, start > 3, index == text.count || !isAlphanumeric(text[index]),
                text[start - 1] >= 0x80 || text[start - 2] >= 0x80 || text[start - 3] >= 0x80,
                isNamedCode(text, at: start)
            else { continue }
            cut(start..<index)
        }
    }

    private func isNamedCode(_ text: Span<UInt8>, at start: Int) -> Bool {
        var end = start
        for _ in 0...Self.maximumCount {
            let name = Self.codeNames.first { end >= $0.count && text.has($0, at: end - $0.count) }
            if let name {
                // `промокод` is another word, and `почтовый код` a postal code.
                guard name[0] == 0xD0 else { return true }
                let first = end - name.count
                return first == 0 || first > 2 && text[first - 1] == 0x20 && !Self.endsWithAdjective(text, first - 1)
            }
            guard let sign = Self.separators.first(where: { end >= $0.count && text.has($0, at: end - $0.count) })
            else {
                return false
            }
            end -= sign.count
        }
        return false
    }

    private static let adjectiveEndings = ["ый", "ой", "ий"].map { Array($0.utf8) }

    private static func endsWithAdjective(_ text: Span<UInt8>, _ end: Int) -> Bool {
        adjectiveEndings.contains { end >= $0.count && text.has($0, at: end - $0.count) }
    }

    // MARK: Networks

    private static let network = Array("WIFI:".utf8)

    /// Looks for the password in the text of a QR code for a Wi-Fi network: `WIFI:T:WPA;S:Lobby;P:x;;`.
    mutating func lookAtNetworks(_ text: Span<UInt8>) {
        var index = 0
        while let start = text.firstIndex(of: Self.network, from: index) {
            index = start + Self.network.count
            while index < text.count, text[index] > 0x20, text[index] != UInt8(ascii: ";") {
                let field = index
                while index < text.count, text[index] >= 0x20, text[index] != UInt8(ascii: ";") {
                    index += text[index] == UInt8(ascii: "\\") ? 2 : 1
                }
                index = min(index, text.count)
                if index - field > 2, text[field] == UInt8(ascii: "P"), text[field + 1] == UInt8(ascii: ":") {
                    visit(text, field + 2..<index, Verdict())
                }
                if index < text.count { index += 1 }
            }
        }
    }
}
