// SPDX-License-Identifier: Apache-2.0

/// An optional of any type.
protocol OptionalValue {
    static var noValue: Self { get }
    var isNil: Bool { get }
}

extension Optional: OptionalValue {
    static var noValue: Self { nil }
    var isNil: Bool { self == nil }
}

/// Whether a value of any type is an optional without a value.
func isNil<Value>(_ value: Value) -> Bool {
    (value as? any OptionalValue)?.isNil ?? false
}
