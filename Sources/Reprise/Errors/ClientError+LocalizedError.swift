// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension ClientError: LocalizedError {
    /// What ``description`` says; without it `localizedDescription` would give a number.
    public var errorDescription: String? { description }
}
