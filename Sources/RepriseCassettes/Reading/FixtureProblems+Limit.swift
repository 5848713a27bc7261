// SPDX-License-Identifier: Apache-2.0

package import RepriseText

extension FixtureProblems {
    /// How many mistakes are told of one file: a hostile one could have as many as it has bytes. It is read no further
    /// than to the next.
    package static let limitOfFile = 100

    /// What is said in place of all further mistakes.
    package static let andMore = "and more; the first \(limitOfFile) are shown"
}
