// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseCassettes

@Suite struct CassetteKeyTests {
    @Test(arguments: CassetteKey.allCases) func keyIsNamedLikeItsCase(key: CassetteKey) {
        #expect(key.name == "\(key)")
    }
}
