// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import RepriseDocuments
@testable import RepriseTemplates
@testable import RepriseText

/// Any text compiles, or the mistake has a place in the text. A rendering ends within its limits, and a second one with
/// the same seed is the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTemplate(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    do throws(TemplateProblem) {
        let template = try Template(compiling: text)
        for warning in template.warnings { require(warning.offset <= text.utf8.count, "a place outside of the text") }
        let output = try? template.render(context)
        require(output == (try? template.render(context)), "two outputs for one seed")
        require(output?.count ?? 0 <= context.limits.outputBytes, "more output than the limit")
        if template.isPlain { require(output == Array(text.utf8), "a plain template that changes") }
    } catch {
        require(error.offset <= text.utf8.count, "a place outside of the text")
    }
    return 0
}

private let context = TemplateContext(
    request: TemplateRequest(
        method: "POST",
        url: "/a/b%20c?q=1&q=2",
        host: "localhost",
        port: 8080,
        headers: [HeaderLine(name: "Cookie", value: "a=b"), HeaderLine(name: "X-A", value: "1")],
        body: Array(#"{"a":[1,{"b":null}],"c":"<x><y>1</y></x>"}"#.utf8)
    ),
    parameters: .object([JSONTree.Member("p", .array([.bool(true), .string("s")]))]),
    now: 1_794_353_631_453,
    timeZone: TimeZone(identifier: "Europe/Berlin") ?? .current,
    seed: 1,
    limits: TemplateContext.Limits(steps: 20_000, outputBytes: 20_000)
)
