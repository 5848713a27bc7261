// SPDX-License-Identifier: Apache-2.0

package import RepriseStubs
package import RepriseText

extension [StubFixture] {
    /// Compiles stubs that are given in code.
    ///
    /// - Throws: All problems found.
    package init(_ mappings: [StubMapping], options: StubOptions) throws(FixtureProblems) {
        self.init()
        var problems: [FixtureProblem] = []
        for mapping in mappings {
            do throws(FixtureProblem) {
                append(try StubFixture(mapping, options: options))
            } catch {
                problems.append(error)
            }
        }
        if !problems.isEmpty { throw FixtureProblems(problems) }
    }
}
