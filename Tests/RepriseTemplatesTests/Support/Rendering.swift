// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTemplates
import RepriseText
import Testing

/// A template with what it renders for ``Rendering/request``.
struct Rendering: Sendable, CustomTestStringConvertible {
    let template: String
    let output: String

    init(_ template: String, _ output: String) {
        self.template = template
        self.output = output
    }

    var testDescription: String { template }

    /// The request of the tables.
    static let request = TemplateRequest(
        method: "POST",
        url: "/t?q=1&q=2&e=&s=a%20b%2Bc",
        host: "127.0.0.1",
        port: 39765,
        headers: [
            HeaderLine(name: "Host", value: "127.0.0.1:39765"), HeaderLine(name: "X-Two", value: "one"),
            HeaderLine(name: "X-Two", value: "two"), HeaderLine(name: "X-One", value: "solo"),
            HeaderLine(name: "Cookie", value: "sid=abc; theme=dark"), HeaderLine(name: "Content-Length", value: "115"),
        ],
        body: Array(
            #"{"a":1,"b":"x","o":{"k":[1,2,{"z":null}],"n":null},"arr":["p","q","r"],"f":1.50,"t":true,"nul":null,"#
                .utf8
        ) + Array(#""e":[],"eo":{}}"#.utf8)
    )

    /// The 10th of November 2026, 23:33:51.453 in UTC.
    static let context = TemplateContext(
        request: request,
        now: 1_794_353_631_453,
        timeZone: TimeZone(identifier: "UTC") ?? .current,
        seed: 7,
        hostname: "build"
    )

    /// Compiles and renders a template.
    static func render(_ template: String, _ context: TemplateContext = context) throws -> String {
        String(decoding: try Template(compiling: template).render(context), as: UTF8.self)
    }

    /// Renders the template of this case.
    func rendered(_ context: TemplateContext = context) throws -> String { try Self.render(template, context) }
}
