// SPDX-License-Identifier: Apache-2.0

/// Ways to cut an input into reads: not at all, at every byte, and in two ways derived from its content.
func inputCuts(_ input: [UInt8]) -> [[Int]] {
    var state: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in input { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
    var cuts: [[Int]] = [[], Array(0..<input.count)]
    for parts in [2, 7] where !input.isEmpty {
        var places: [Int] = []
        for _ in 0..<parts {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            places.append(Int(state >> 33) % input.count)
        }
        cuts.append(places.sorted())
    }
    return cuts
}

/// Crashes unless `condition` holds, so that the fuzzer reports the input.
func require(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { fatalError(message()) }
}
