// SPDX-License-Identifier: Apache-2.0

extension Call {
    /// The call as a line for a shell that sends the same with curl. Nothing is sent.
    ///
    /// ```swift
    /// print(try api.post("/users").json(user).curl())
    /// ```
    ///
    /// The client's headers and a body in memory are in it, and files by their paths; what interceptors add is not.
    /// Secrets are written as `[redacted]`, as in the log: header fields such as Authorization and Cookie, and parameters
    /// and properties such as `api_key` and `password` in the URL, in forms and in JSON. In any other body they could not
    /// be told, and it is as it is.
    ///
    /// - Parameter showsSecrets: whether secrets are written as they are, for a line that can be run.
    /// - Throws: ``ClientError`` with what is wrong with the call.
    public func curl(showsSecrets: Bool = false) throws -> String {
        var request = try request()
        guard let body else { return Self.line(request.curlWords(hasBody: false, showsSecrets: showsSecrets)) }
        guard case .multipart(var form) = composedBody else {
            let shown = showsSecrets ? body : body.withoutSecrets(type: request.headerFields[.contentType])
            return Self.line(request.curlWords(hasBody: true, showsSecrets: showsSecrets), with: shown)
        }
        if !showsSecrets { form = form.withoutSecrets }
        // A form with files would otherwise have to be read here.
        if !body.isInMemory, let options = form.curlOptions {
            // curl's own has the boundary that it chooses.
            request.headerFields[.contentType] = nil
            return Self.line(request.curlWords(hasBody: false, showsSecrets: showsSecrets) + options)
        }
        return Self.line(request.curlWords(hasBody: true, showsSecrets: showsSecrets), with: form.body())
    }

    private static func line(_ words: [String]) -> String {
        words.joined(separator: " \\\n  ")
    }

    private static func line(_ words: [String], with body: Body) -> String {
        if case .file(let file) = body.storage {
            return line(words + ["--data-binary \(ShellWord.quoted("@\(file.path)"))"])
        }
        guard let bytes = body.inMemory else {
            return line(words + ["--data-binary @-"]) + "  # with the body, which is not in memory, as its input"
        }
        if let text = body.text { return line(words + ["--data-raw \(ShellWord.quoted(text))"]) }
        return "printf \(ShellWord.printfFormat(bytes)) | " + line(words + ["--data-binary @-"])
    }
}

extension HTTPRequest {
    /// The words of curl's command line, but for the body.
    func curlWords(hasBody: Bool, showsSecrets: Bool = false) -> [String] {
        var words = ["curl"]
        switch method {
        case .get where !hasBody: break
        case .head: words.append("--head")
        default: words.append("-X \(ShellWord.quoted(method.rawValue))")
        }
        words.append(ShellWord.quoted(showsSecrets ? urlText : shownURL))
        for field in headerFields {
            let value = showsSecrets ? field.value : field.shownValue
            // curl takes a field without a value for one that is to be left out, unless it ends so.
            words.append("-H \(ShellWord.quoted(value.isEmpty ? "\(field.name);" : "\(field.name): \(value)"))")
        }
        // curl would say that it is a form.
        if hasBody, !headerFields.contains(.contentType) { words.append("-H 'Content-Type:'") }
        return words
    }
}

/// Words as a POSIX shell reads them (POSIX.1-2017, Shell Command Language, section 2.2).
enum ShellWord {
    private static let quote = UInt8(ascii: "'")

    /// `text` as one word: nothing in single quotes means anything but their end.
    static func quoted(_ text: String) -> String {
        if !text.isEmpty, text.utf8.allSatisfy(isPlain) { return text }
        var word: [UInt8] = [quote]
        // By bytes: with an accent behind it a quote is another character, and a quote to the shell all the same.
        for byte in text.utf8 {
            if byte == quote { word += [quote, UInt8(ascii: "\\"), quote] }
            word.append(byte)
        }
        word.append(quote)
        return String(decoding: word, as: UTF8.self)
    }

    /// A word that printf makes `bytes` of, which no word can hold.
    static func printfFormat(_ bytes: [UInt8]) -> String {
        var format = "'"
        for byte in bytes {
            // In front it would be the sign of an option, and `--` before the format is not for every printf.
            let isOption = format.utf8.count == 1 && byte == UInt8(ascii: "-")
            if isPlain(byte), !isOption {
                format.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                format += "\\" + String(repeating: "0", count: byte < 8 ? 2 : byte < 64 ? 1 : 0)
                format += String(byte, radix: 8)
            }
        }
        return format + "'"
    }

    /// Whether it means itself, quoted or not.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "@"):
            true
        default: false
        }
    }
}
