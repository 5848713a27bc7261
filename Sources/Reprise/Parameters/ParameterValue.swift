// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What can be the value of a parameter, in a query or in a form: text, numbers, truth values, and enums of those.
///
/// ```swift
/// enum Order: String, ParameterValue { case newest, oldest }
/// ```
///
/// ```swift
/// api.get("/posts").query("order", Order.newest).query("page", 2)
/// ```
///
/// Dates are none: there are too many ways to write them.
public protocol ParameterValue {
    /// The value as it is meant, before anything is escaped.
    ///
    /// What it throws fails the call.
    var parameterText: String { get throws }
}

extension String: ParameterValue {
    /// The text itself.
    public var parameterText: String { self }
}

extension Substring: ParameterValue {
    /// The text itself.
    public var parameterText: String { String(self) }
}

extension Bool: ParameterValue {
    /// `true` or `false`.
    public var parameterText: String { self ? "true" : "false" }
}

extension UUID: ParameterValue {
    /// As in `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
    public var parameterText: String { uuidString }
}

extension ParameterValue where Self: RawRepresentable, RawValue: ParameterValue {
    /// The raw value's text.
    public var parameterText: String { get throws { try rawValue.parameterText } }
}

extension ParameterValue where Self: FixedWidthInteger {
    /// In decimal.
    public var parameterText: String { String(self) }
}

extension Int: ParameterValue {}
extension Int8: ParameterValue {}
extension Int16: ParameterValue {}
extension Int32: ParameterValue {}
extension Int64: ParameterValue {}
extension UInt: ParameterValue {}
extension UInt8: ParameterValue {}
extension UInt16: ParameterValue {}
extension UInt32: ParameterValue {}
extension UInt64: ParameterValue {}

extension ParameterValue where Self: BinaryFloatingPoint & LosslessStringConvertible {
    /// The shortest decimal number that is this one. Infinity and NaN throw.
    public var parameterText: String {
        get throws {
            guard isFinite else {
                throw ClientError(.invalidParameters, "\(self) is no number that a parameter can have")
            }
            return String(self)
        }
    }
}

extension Double: ParameterValue {}
extension Float: ParameterValue {}
