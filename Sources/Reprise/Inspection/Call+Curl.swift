// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

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
            return line(words + ["--data-binary \(DisplayText.shellWord("@\(file.path)"))"])
        }
        guard let bytes = body.inMemory else {
            return line(words + ["--data-binary @-"]) + "  # with the body, which is not in memory, on standard input"
        }
        if let text = body.text { return line(words + ["--data-raw \(DisplayText.shellWord(text))"]) }
        return "\(DisplayText.printing(bytes)) | " + line(words + ["--data-binary @-"])
    }
}

extension HTTPRequest {
    /// The arguments of curl's command line, except for the body.
    func curlWords(hasBody: Bool, showsSecrets: Bool = false) -> [String] {
        var words = ["curl"]
        switch method {
        case .get where !hasBody: break
        case .head: words.append("--head")
        default: words.append("-X \(DisplayText.shellWord(method.rawValue))")
        }
        words.append(DisplayText.shellWord(showsSecrets ? urlText : shownURL))
        for field in headerFields.withJoinedCookies {
            let value = showsSecrets ? field.value : field.shownValue
            // curl removes a field without a value unless the argument ends with a semicolon.
            words.append("-H \(DisplayText.shellWord(value.isEmpty ? "\(field.name);" : "\(field.name): \(value)"))")
        }
        // Without this, curl would add the Content-Type of a form.
        if hasBody, !headerFields.contains(.contentType) { words.append("-H 'Content-Type:'") }
        return words
    }
}
