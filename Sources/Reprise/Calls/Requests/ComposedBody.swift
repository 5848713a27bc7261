// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A body that more parameters can be added to. It is indirect to keep calls small: each call contains one, and every
/// modifier moves the call.
indirect enum ComposedBody: Sendable {
    case form([ParameterPair])
    case json(ParameterNode)
    case multipart(MultipartForm)

    func body(_ encoder: any RequestEncoder) throws -> Body {
        switch self {
        case .form(let pairs): return Body(pairs.escaped(.form))
        case .json(let object): return Body(Array(try encoder.encode(object)))
        case .multipart(let form):
            if let problem = form.problem { throw problem }
            return form.body()
        }
    }

    var contentType: String {
        switch self {
        case .form: "application/x-www-form-urlencoded"
        case .json: "application/json"
        case .multipart(let form): form.contentType
        }
    }
}

extension MultipartForm {
    func adding(_ pairs: [ParameterPair]) -> MultipartForm {
        var form = self
        for pair in pairs { form.field(pair.name, pair.text) }
        return form
    }
}
