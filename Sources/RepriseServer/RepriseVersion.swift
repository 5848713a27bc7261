// SPDX-License-Identifier: Apache-2.0

/// The version of this release.
package enum RepriseVersion {
    package static let current = "0.1.0"
}
