// SPDX-License-Identifier: Apache-2.0

/// The version of JSON Schema.
public enum JSONSchemaVersion: String, Sendable, Hashable, CaseIterable {
    /// Draft 4.
    case v4 = "V4"
    /// Draft 6.
    case v6 = "V6"
    /// Draft 7.
    case v7 = "V7"
    /// 2019-09.
    case v201909 = "V201909"
    /// 2020-12, the default.
    case v202012 = "V202012"
}
