// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension Call {
    /// Returns the call with an endpoint's base URL, header fields, and body.
    ///
    /// Their types are associated types without requirements. A property of an unexpected type therefore still
    /// belongs to the endpoint and makes the call fail, whereas a requirement with a fixed type would ignore it.
    consuming func parts<E: Endpoint>(of endpoint: E) -> Call {
        baseURL(of: endpoint).headers(of: endpoint).body(of: endpoint)
    }

    private consuming func baseURL<E: Endpoint>(of endpoint: E) -> Call {
        do {
            let url = try endpoint.baseURL
            switch url {
            case let url as String?: baseURL = url
            case let url as URL?: baseURL = url?.absoluteString
            default:
                return failing(.invalidURL, "expected \(E.self).baseURL to be a String or URL, found \(type(of: url))")
            }
            return self
        } catch {
            return failing(.invalidURL, "could not get \(E.self).baseURL: \(error)", underlying: error)
        }
    }

    private consuming func headers<E: Endpoint>(of endpoint: E) -> Call {
        do {
            let fields = try endpoint.headers
            if isNil(fields) { return self }
            switch fields {
            case let fields as HTTPFields: return fields.isEmpty ? self : headers(fields)
            case let fields as [String: String]: return headers(fields)
            case let fields as [String: String?]: return headers(fields.compactMapValues { $0 })
            case let fields as [HTTPField.Name: String?]:
                let texts = fields.map { ($0.key.rawName, $0.value) }
                return headers(Dictionary(texts) { _, last in last }.compactMapValues { $0 })
            default:
                return failing(
                    .invalidParameters,
                    "expected \(E.self).headers to be HTTPFields or [String: String], found \(type(of: fields)); "
                        + "convert it, or set the headers in configure(_:)"
                )
            }
        } catch {
            return failing(error)
        }
    }

    private consuming func body<E: Endpoint>(of endpoint: E) -> Call {
        if E.EndpointBody.self == Never?.self { return self }
        do {
            let content = try endpoint.body
            if isNil(content) { return self }
            switch content {
            case let content as Body: return body(content)
            case let content as String: return body(content)
            case let content as Data: return body(content)
            case let content as [UInt8]: return body(content)
            case let content as any Encodable: return json(content)
            default:
                return failing(
                    .invalidParameters,
                    "expected \(E.self).body to be Encodable, Body, String, Data, or [UInt8], found "
                        + "\(type(of: content)); convert it, or set the body in configure(_:)"
                )
            }
        } catch {
            return failing(error)
        }
    }
}
