// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A response template, compiled when its stub is loaded.
package struct Template: Sendable {
    /// The text of the template.
    package let text: String
}
