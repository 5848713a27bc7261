// SPDX-License-Identifier: Apache-2.0

package import RepriseText

extension FixtureProblems {
    /// The maximum number of mistakes reported for one file. A hostile file could have as many mistakes as bytes, so
    /// reading stops at the first mistake past the limit.
    package static let limitOfFile = 100

    /// The message that replaces all mistakes past the limit.
    package static let andMore = "and more; the first \(limitOfFile) are shown"
}
