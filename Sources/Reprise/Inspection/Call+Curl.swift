// SPDX-License-Identifier: Apache-2.0

extension Call {
    /// Returns a shell command that sends the same request with curl. Nothing is sent.
    ///
    /// ```swift
    /// print(try api.post("/users").json(user).curl())
    /// ```
    ///
    /// The command contains the client's headers, a body that is in memory, and the paths of files. It does not
    /// contain anything that interceptors add.
    ///
    /// Secrets are replaced with `[redacted]`, as in the log: header fields such as Authorization and Cookie, and
    /// values such as `api_key` and `password` in the URL, in forms, and in JSON. Secrets in a body of another type
    /// are not recognized, so that body is shown unchanged.
    ///
    /// - Parameter showsSecrets: Whether to include secrets, so that the command can be run. The default is false.
    /// - Throws: ``ClientError`` if the call is invalid.
    public func curl(showsSecrets: Bool = false) throws -> String {
        var request = try request()
        guard let body else { return Self.line(request.curlWords(hasBody: false, showsSecrets: showsSecrets)) }
        guard case .multipart(var form) = composedBody else {
            let shown = showsSecrets ? body : body.withoutSecrets(type: request.headerFields[.contentType])
            return Self.line(request.curlWords(hasBody: true, showsSecrets: showsSecrets), with: shown)
        }
        if !showsSecrets { form = form.withoutSecrets }
        // Let curl read the files of the form, so that they do not have to be read here.
        if !body.isInMemory, let options = form.curlOptions {
            // curl sets its own Content-Type, with the boundary that it chooses.
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
            return line(words + ["--data-binary @-"]) + "  # with the body, which is not in memory, on standard input"
        }
        if let text = body.text { return line(words + ["--data-raw \(ShellWord.quoted(text))"]) }
        return "printf \(ShellWord.printfFormat(bytes)) | " + line(words + ["--data-binary @-"])
    }
}

extension HTTPRequest {
    /// The arguments of curl's command line, except for the body.
    func curlWords(hasBody: Bool, showsSecrets: Bool = false) -> [String] {
        var words = ["curl"]
        switch method {
        case .get where !hasBody: break
        case .head: words.append("--head")
        default: words.append("-X \(ShellWord.quoted(method.rawValue))")
        }
        words.append(ShellWord.quoted(showsSecrets ? urlText : shownURL))
        for field in headerFields.withJoinedCookies {
            let value = showsSecrets ? field.value : field.shownValue
            // curl removes a field without a value unless the argument ends with a semicolon.
            words.append("-H \(ShellWord.quoted(value.isEmpty ? "\(field.name);" : "\(field.name): \(value)"))")
        }
        // Without this, curl would add the Content-Type of a form.
        if hasBody, !headerFields.contains(.contentType) { words.append("-H 'Content-Type:'") }
        return words
    }
}

/// Quotes words for a POSIX shell (POSIX.1-2017, Shell Command Language, section 2.2).
enum ShellWord {
    private static let quote = UInt8(ascii: "'")

    /// Returns `text` quoted as a single word. Inside single quotes, only the closing quote is special.
    static func quoted(_ text: String) -> String {
        if !text.isEmpty, text.utf8.allSatisfy(isPlain) { return text }
        var word: [UInt8] = [quote]
        // Iterates over bytes, because a quote followed by a combining accent is a different Character, but still a
        // quote to the shell.
        for byte in text.utf8 {
            if byte == quote { word += [quote, UInt8(ascii: "\\"), quote] }
            word.append(byte)
        }
        word.append(quote)
        return String(decoding: word, as: UTF8.self)
    }

    /// Returns a printf format that produces `bytes`, for bytes that a word cannot contain.
    static func printfFormat(_ bytes: [UInt8]) -> String {
        var format = "'"
        for byte in bytes {
            // At the start, a hyphen would begin an option. Not every printf accepts `--` before the format.
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

    /// Whether the byte has no special meaning, quoted or not.
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
