// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension MultipartForm {
    /// The curl options that build a form from the same files, or nil if curl cannot express one of the parts.
    var curlOptions: [String]? {
        var options: [String] = []
        for part in parts {
            // curl reads the name up to the first equals sign.
            guard !part.name.isEmpty, !part.name.utf8.contains(UInt8(ascii: "=")) else { return nil }
            if case .file(let file) = part.body.storage {
                var value = "\(part.name)=@\(Self.quoted(file.path))"
                if let filename = part.filename { value += ";filename=\(Self.quoted(filename))" }
                if let type = part.type { value += ";type=\(type)" }
                options.append("-F \(DisplayText.shellWord(value))")
            } else if part.filename == nil, part.type == nil, let text = part.body.text {
                options.append("--form-string \(DisplayText.shellWord("\(part.name)=\(text)"))")
            } else {
                return nil
            }
        }
        return options
    }

    /// Returns the text in quotation marks, with the escapes that curl expects in the value of a form part.
    private static func quoted(_ text: String) -> String {
        var quoted: [UInt8] = []
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { quoted.append(UInt8(ascii: "\\")) }
            quoted.append(byte)
        }
        return "\"\(String(decoding: quoted, as: UTF8.self))\""
    }
}

extension Body {
    /// The content, if it is in memory and is text that a shell word can contain.
    var text: String? {
        guard let bytes = inMemory, !bytes.contains(0) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.elementsEqual(bytes) ? text : nil
    }
}
