// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A single value in a parameter or in JSON.
protocol ParameterScalar: Encodable, Sendable {
    /// Returns the value's text before escaping.
    func text(_ style: ParameterStyle) throws -> String
}

extension ParameterScalar where Self: ParameterValue {
    func text(_ style: ParameterStyle) throws -> String { try parameterText }
}

extension String: ParameterScalar {}
extension Bool: ParameterScalar {}
extension Int: ParameterScalar {}
extension Int8: ParameterScalar {}
extension Int16: ParameterScalar {}
extension Int32: ParameterScalar {}
extension Int64: ParameterScalar {}
extension UInt: ParameterScalar {}
extension UInt8: ParameterScalar {}
extension UInt16: ParameterScalar {}
extension UInt32: ParameterScalar {}
extension UInt64: ParameterScalar {}
extension Double: ParameterScalar {}
extension Float: ParameterScalar {}

extension Date: ParameterScalar {
    func text(_ style: ParameterStyle) throws -> String { try style.dates.text(of: self) }
}

extension Data: ParameterScalar {
    /// Returns the data in Base64 (RFC 4648 section 4), as JSON encoders write it.
    func text(_ style: ParameterStyle) throws -> String { base64EncodedString() }
}

extension URL: ParameterScalar {
    func text(_ style: ParameterStyle) throws -> String { absoluteString }
}

extension Decimal: ParameterScalar {
    func text(_ style: ParameterStyle) throws -> String {
        guard isFinite else {
            throw ClientError(.invalidParameters, "expected a finite number, found \(self)")
        }
        return description
    }
}

extension ParameterNode {
    /// Creates a node for a value in a literal. Values that JSON can represent directly keep their type. Others
    /// become strings.
    init(_ value: any ParameterValue) throws {
        if let scalar = value as? any ParameterScalar {
            self = .single(scalar)
        } else if let scalar = (value as? any RawRepresentable)?.rawValue as? any ParameterScalar {
            self = .single(scalar)
        } else {
            self = .single(try value.parameterText)
        }
    }
}
