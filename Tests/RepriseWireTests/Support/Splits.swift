// SPDX-License-Identifier: Apache-2.0

/// Ways to split `count` bytes: every split in two, and one byte at a time.
func splits(of count: Int) -> [[Int]] {
    guard count > 0 else { return [] }
    return (0..<count).map { [$0] } + [Array(0..<count)]
}
