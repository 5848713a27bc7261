// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseMatching

@Suite struct VolatileShapeTests {
    @Test(arguments: [
        ("0d6f2c1e-8f0a-4c43-9a65-0c3c1d1f7d11", VolatileShape.uuid), ("0D6F2C1E-8F0A-4C43-9A65-0C3C1D1F7D11", .uuid),
        ("2026-11-22", .date), ("2026-11-22T23:26:45Z", .date), ("2026-11-22T23:26:45.123456Z", .date),
        ("2026-11-22 23:26", .date), ("2026-11-22T23:26:45+02:00", .date), ("2026-11-22t23:26:45-0500", .date),
        ("20261122T232645Z", .date), ("Sun, 22 Nov 2026 23:26:45 GMT", .date),
        ("1763854005", .unixTime(digits: 10)), ("1763854005.25", .unixTime(digits: 10)),
        ("1763854005123", .unixTime(digits: 13)), ("1763854005123456", .unixTime(digits: 16)),
        ("1763854005123456789", .unixTime(digits: 19)),
        ("8f3a9c12", .token(count: 8)), ("9f86d081884c7d659a2feaa0c55ad015", .token(count: 32)),
        ("req_011CSHoEeqs5C35K2UUqR7Fy", .token(count: 27)), ("01ARZ3NDEKTSV4RRFFQ69G5FAV", .token(count: 26)),
        ("V1StGXR8_Z5jdHi6B-myT", .token(count: 19)), ("kH2vX9q+Lm3/Zt8pRw5cQg==", .token(count: 20)),
    ])
    func recognizesVolatileText(text: String, shape: VolatileShape) {
        #expect(VolatileShape(Array(text.utf8)[...]) == shape)
    }

    @Test(arguments: [
        "", "a", "hello", "The quick brown fox", "getting-started-with-swift-6", "iphone-15-pro-max-256gb",
        "findBooksByTitle",
        "0", "42", "1000000", "12.50", "1299.00", "-5", "1e9", "19.99 EUR", "9780306406157", "0301234567",
        "4111111111111111",
        "gpt-4o-mini-2024-07-18", "claude-3-5-sonnet-20241022", "1.2.3-beta.4+build.20240101", "v6.2.1",
        "deadbeef", "cafe2024", "ff0000", "a1b2c3", "en-US", "user@example.com", "https://example.com/8f3a9c12d4e5f607",
        "2026-11", "26-11-22", "2026-11-22x", "2026-11-22T", "2026-11-22T23", "application/json", "SKU-12345-AB-6789",
        "{0d6f2c1e-8f0a-4c43-9a65-0c3c1d1f7d11}", "IMG_20240101_123456.jpg",
    ])
    func ignoresOtherText(text: String) {
        #expect(VolatileShape(Array(text.utf8)[...]) == nil)
    }

    /// A time is between 2008 and 2049, and a token has enough digits and changes.
    @Test(arguments: [
        ("1199999999", false), ("1200000000", true), ("2499999999", true), ("2500000000", false), ("176385400", false),
        ("17638540051", false), ("1763854005.", false), ("1763854005.a", false), ("176385400512", false),
        ("8f3a9c1", false), ("8f3a9c12", true), ("8f3a9g12", false), ("8f3a-c12", false),
        ("8g3a9c12d4e5f60", false), ("8g3a9c12d4e5f607", true), ("8f3a9c12-d4e5f60", false),
        ("1aBcDeFgHiJkLmNoPqRs", false), ("1aBcDeFgHiJkLmNoPqR2", true), ("aaa1bbb1ccc1ddd1", true),

        ("aaaaa1bbbbb1ccc1", true), ("aaaaa1bbbbb1cccc", false),
        ("2026-11-22T23:26:45.1", true), ("2026-11-22T23:26:45.", false),
        ("2026-11-22T23:26+0000", true), ("2026-11-22T23:26+0", false), ("2026-11-22T23:26:4", false),
    ])
    func boundsOfShapes(text: String, isVolatile: Bool) {
        #expect((VolatileShape(Array(text.utf8)[...]) != nil) == isVolatile)
    }

    @Test(arguments: [(512, true), (513, false)]) func longTextIsContent(count: Int, isVolatile: Bool) {
        let text = String(String(repeating: "8f3a9c12", count: 65).prefix(count))
        #expect((VolatileShape(Array(text.utf8)[...]) != nil) == isVolatile)
    }

    /// The lengths of tokens differ by a quarter of the longer one.
    @Test(arguments: [(8, 8, true), (8, 10, true), (10, 8, true), (8, 11, false), (9, 12, true), (12, 8, false)])
    func lengthsOfTokensAreSimilar(one: Int, other: Int, isShared: Bool) {
        let text = Array("8f3a9c12d4e5".utf8)
        #expect(VolatileShape.isShared(by: text.prefix(one), and: text.prefix(other)) == isShared)
    }

    @Test(arguments: [
        ("0d6f2c1e-8f0a-4c43-9a65-0c3c1d1f7d11", "77b1a0c4-53c5-4a9c-8c0e-2f5f0d7c9e10", true),
        ("1763854005", "1763854099", true), ("1763854005", "1763854005123", false),
        ("2026-11-22", "2025-01-02T10:00Z", true),
        ("8f3a9c12d4e5f607", "1b2c7d8e9f0a4b5c", true), ("8f3a9c12", "9f86d081884c7d659a2feaa0c55ad015", false),
        ("8f3a9c12d4e5f607", "today", false), ("two", "three", false),
        ("0d6f2c1e-8f0a-4c43-9a65-0c3c1d1f7d11", "2026-11-22", false),
    ])
    func comparesShapes(text: String, other: String, isShared: Bool) {
        #expect(VolatileShape.isShared(by: Array(text.utf8)[...], and: Array(other.utf8)[...]) == isShared)
    }
}
