// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension ClientError: LocalizedError {
    /// The ``description``. Without it, `localizedDescription` would contain only a number.
    public var errorDescription: String? { description }
}
