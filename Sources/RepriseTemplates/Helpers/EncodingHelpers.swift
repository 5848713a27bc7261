// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RepriseText

/// Encodings, forms, and the server's environment.
enum EncodingHelpers {
    static let table: [ExactText: TemplateHelper] = [
        "trim": .value { (call) throws(TemplateFailure) in
            .string(JavaText.trimmed(try call.contentOrSubjectText()))
        },
        "base64": .value(base64),
        "urlEncode": .value(urlEncode),
        "formData": .value(formData),
        "hostname": .value { (call) throws(TemplateFailure) in .string(call.renderer.context.hostname) },
        "systemValue": .value(systemValue),
    ]

    @Sendable private static func base64(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        let text = try call.contentOrSubjectText()
        if try call.flag("decode") {
            var body = Array(text.utf8)[...]
            while body.last == UInt8(ascii: "=") { body.removeLast() }
            let padding = repeatElement(UInt8(ascii: "="), count: (4 - body.count % 4) % 4)
            guard body.count % 4 != 1, let bytes = Base64.decode(body + padding) else {
                throw call.failure(expected: "Base64", found: .string(text), "check the value")
            }
            return .string(String(decoding: bytes, as: UTF8.self))
        }
        let encoded = Base64.text(Array(text.utf8))
        if try call.flag("padding", default: true) { return .string(encoded) }
        return .string(String(encoded.prefix { $0 != "=" }))
    }

    @Sendable private static func urlEncode(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        let text = try call.subjectText()
        let name = try call.optionText("encoding") ?? "utf-8"
        guard let encoding = encodings[name.lowercased()] else {
            throw call.failure(
                expected: "UTF-8, US-ASCII, or ISO-8859-1",
                found: .string(name),
                "use one of these encodings"
            )
        }
        guard try call.flag("decode") else {
            let bytes =
                encoding == .utf8
                ? Array(text.utf8) : Array(text.data(using: encoding, allowLossyConversion: true) ?? Data())
            return .string(String(decoding: FormText.encoded(bytes), as: UTF8.self))
        }
        let bytes = Array(text.utf8)[...]
        for index in bytes.indices where bytes[index] == UInt8(ascii: "%") {
            guard PercentEscape.byte(at: index, in: bytes.span) != nil else {
                throw call.failure(expected: "two hexadecimal digits after %", found: .string(text), "write %25 for %")
            }
        }
        let decoded = FormText.decoded(bytes.span)
        if encoding == .utf8 { return .string(String(decoding: decoded, as: UTF8.self)) }
        return .string(String(data: Data(decoded), encoding: encoding) ?? "")
    }

    private static let encodings: [ExactText: String.Encoding] = [
        "utf-8": .utf8, "utf8": .utf8, "us-ascii": .ascii, "ascii": .ascii, "iso-8859-1": .isoLatin1,
        "latin1": .isoLatin1,
    ]

    /// Parses a form. With the name of a variable, stores it there.
    @Sendable private static func formData(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        let text = try call.subjectText()
        let isDecoded = try call.flag("urlDecode")
        // A pair without an equals sign is left out. Its empty value starts where the name ends.
        let pairs = FormText.pairs(text.utf8).filter { $0.name.endIndex < $0.value.startIndex }
        let entries = RequestModel.entries(
            pairs.map { key, value in
                (String(Substring(key)), isDecoded ? FormText.decoded(Substring(value)) : String(Substring(value)))
            }
        )
        try call.renderer.charge(entries.count)
        let form = TemplateValue.map(entries)
        return try store(form, as: call.parameter(0), call)
    }

    /// Stores a value in a variable, if its name is given. Otherwise returns the value.
    static func store(
        _ value: TemplateValue,
        as name: TemplateValue,
        _ call: HelperInvocation
    ) throws(TemplateFailure) -> TemplateValue {
        guard !name.isNull else { return value }
        call.renderer.variables[try call.text(name)] = value
        return .null
    }

    @Sendable private static func systemValue(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        let key = try call.optionText("key") ?? ""
        guard !key.isEmpty else { return .string("[ERROR: The key cannot be empty]") }
        var isPermitted = false
        for pattern in call.renderer.context.permittedSystemKeys where !isPermitted {
            isPermitted = try call.renderer.matches("(?i:\(pattern))", key) ?? false
        }
        guard isPermitted, key != TemplateContext.deniedSystemKey else {
            return .string("[ERROR: Access to \(key) is denied]")
        }
        call.renderer.spend(5_000)
        if let value = call.renderer.context.environment(key) { return .string(value) }
        return try call.option("default", or: .null)
    }
}
