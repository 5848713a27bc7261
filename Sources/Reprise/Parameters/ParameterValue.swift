// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A value for a parameter in a query or a form, such as text, a number, a Boolean, or an enum of these.
///
/// ```swift
/// enum Order: String, ParameterValue { case newest, oldest }
/// ```
///
/// ```swift
/// api.get("/posts").query("order", Order.newest).query("page", 2)
/// ```
///
/// The client's ``ParameterStyle`` determines how dates are written.
public protocol ParameterValue {
    /// The value's text before escaping.
    ///
    /// If it throws, the call fails.
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
    /// The UUID in the form `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
    public var parameterText: String { uuidString }
}

extension URL: ParameterValue {
    /// The absolute URL as text.
    public var parameterText: String { absoluteString }
}

extension Decimal: ParameterValue {
    /// The number in decimal, with all its digits. Throws for NaN.
    public var parameterText: String { get throws { try text(ParameterStyle()) } }
}

extension Date: ParameterValue {
    /// The date in the default ``ParameterStyle/Dates``, such as `2026-11-21T09:00:00Z`. Calls use the client's style
    /// instead.
    public var parameterText: String { get throws { try text(ParameterStyle()) } }
}

extension ParameterValue where Self: RawRepresentable, RawValue: ParameterValue {
    /// The raw value's text.
    public var parameterText: String { get throws { try rawValue.parameterText } }
}

extension ParameterValue where Self: FixedWidthInteger {
    /// The number in decimal.
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
    /// The shortest decimal text that represents this number. Throws for infinity and NaN.
    public var parameterText: String {
        get throws {
            guard isFinite else {
                throw ClientError(.invalidParameters, "expected a finite number, found \(self)")
            }
            return String(self)
        }
    }
}

extension Double: ParameterValue {}
extension Float: ParameterValue {}
