// SPDX-License-Identifier: Apache-2.0

extension MultipartForm {
    /// The options with which curl makes the form of the same files; nil where it has no words for a part.
    var curlOptions: [String]? {
        var options: [String] = []
        for part in parts {
            // curl takes what stands before the first equals sign for the name.
            guard !part.name.isEmpty, !part.name.utf8.contains(UInt8(ascii: "=")) else { return nil }
            if case .file(let file) = part.body.storage {
                var value = "\(part.name)=@\(Self.quoted(file.path))"
                if let filename = part.filename { value += ";filename=\(Self.quoted(filename))" }
                if let type = part.type { value += ";type=\(type)" }
                options.append("-F \(ShellWord.quoted(value))")
            } else if part.filename == nil, part.type == nil, let text = part.body.text {
                options.append("--form-string \(ShellWord.quoted("\(part.name)=\(text)"))")
            } else {
                return nil
            }
        }
        return options
    }

    /// The text between quotation marks, as curl reads it in the value of a form's part.
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
    /// The content in memory, if it is text that a word of a shell can hold.
    var text: String? {
        guard let bytes = inMemory, !bytes.contains(0) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.elementsEqual(bytes) ? text : nil
    }
}
