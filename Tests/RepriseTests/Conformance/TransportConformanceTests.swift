// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite struct TransportConformanceTests {
    /// Each case with each transport; for a stub, only the cases that need no connection.
    private static let pairs = TransportUnderTest.allCases.flatMap { transport in
        ConformanceCase.all.filter { transport != .stub || $0.isForStubs }.map { (transport, $0) }
    }

    @Test(arguments: pairs)
    func conforms(transport: TransportUnderTest, conformanceCase: ConformanceCase) async {
        guard let deviation = KnownDeviation.of(conformanceCase, with: transport) else {
            return await conformanceCase.run(with: transport, within: .seconds(120))
        }
        if deviation.kind == .endsProcess { return await expectEndOfProcess(deviation) }
        await withKnownIssue("\(deviation.cause)", isIntermittent: deviation.isIntermittent) {
            await conformanceCase.run(with: transport, within: .seconds(30))
        }
    }

    /// Runs a case that ends the process in a process of its own. The closure of an exit test can't capture values, so
    /// each case has its own closure.
    private func expectEndOfProcess(_ deviation: KnownDeviation) async {
        #if os(Linux)
            switch (deviation.transport, deviation.name) {
            case (.urlSession, "provides the trailer fields"):
                await #expect(processExitsWith: .failure) {
                    await ConformanceCase.named("provides the trailer fields").run(
                        with: .urlSession,
                        within: .seconds(30)
                    )
                }
            default: Issue.record("missing exit test for \(deviation.name)")
            }
        #endif
    }
}
