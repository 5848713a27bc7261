// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import RepriseConnections

@Suite struct ExchangeLimitsTests {
    @Test(
        arguments: [
            (nil, nil, 100, false, nil), (5, nil, 4, false, nil), (5, nil, 5, false, "headTimeout"),
            (5, nil, 6, true, nil), (nil, 5, 4, false, nil), (nil, 5, 5, false, "totalTimeout"),
            (nil, 5, 5, true, "totalTimeout"), (3, 5, 4, false, "headTimeout"), (3, 5, 4, true, nil),
            (3, 5, 6, false, "totalTimeout"),
        ] as [(Int?, Int?, Int, Bool, String?)]
    )
    func returnsExceededLimit(head: Int?, total: Int?, time: Int, isHeadComplete: Bool, expected: String?) {
        let exceeded = limits(head, total).exceeded(after: .seconds(time), isHeadComplete: isHeadComplete)
        #expect(exceeded.map { "\($0.0)" } == expected)
    }

    @Test(
        arguments: [
            (nil, nil, false, nil), (3, nil, false, 3), (3, nil, true, nil), (3, 5, false, 3), (3, 5, true, 5),
            (5, 3, false, 3), (nil, 5, false, 5),
        ] as [(Int?, Int?, Bool, Int?)]
    )
    func returnsNextLimit(head: Int?, total: Int?, isHeadComplete: Bool, expected: Int?) {
        #expect(limits(head, total).next(isHeadComplete: isHeadComplete) == expected.map { .seconds($0) })
    }

    private func limits(_ head: Int?, _ total: Int?) -> ExchangeLimits {
        let seconds = { (count: Int?) in count.map { Duration.seconds($0) } }
        return ExchangeLimits(connect: .seconds(10), head: seconds(head), total: seconds(total))
    }
}
