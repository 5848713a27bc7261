// SPDX-License-Identifier: Apache-2.0

internal import RepriseMatching
internal import RepriseStubAnswers
internal import RepriseStubs
internal import RepriseText

extension RouteList.Route {
    /// Creates the line of a stub.
    init(_ stub: StubFixture) {
        let request = stub.mapping.request
        method = request.method.summary
        path = request.url.summary
        body = request.body.isEmpty && request.multipart.isEmpty && request.form.isEmpty ? .any : .conditions
        priority = stub.rule.priority
        var words: [String] = []
        words += request.query.map { "query \($0.name)" }
        words += request.headers.map { "header \($0.name)" }
        words += request.cookies.map { "cookie \($0.name)" }
        words += request.form.map { "form field \($0.name)" }
        if request.basicAuth != nil { words.append("Basic authentication") }
        if !request.body.isEmpty { words.append("body") }
        if !request.multipart.isEmpty { words.append("multipart body") }
        if let scenario = stub.mapping.scenario {
            let state = scenario.requiredState.map { " in state \($0)" } ?? ""
            words.append("scenario \(scenario.name)\(state)")
        }
        conditions = words
        answers = [RouteList.Answer(stub)]
    }
}

extension RouteList.Answer {
    fileprivate init(_ stub: StubFixture) {
        let fault = stub.mapping.response.fault
        status = fault == nil ? stub.answer.status : nil
        end = fault?.rawValue ?? (stub.answer.status == nil ? "proxy" : "complete")
        file = stub.source.file
        line = stub.source.location?.line
    }
}
