// SPDX-License-Identifier: Apache-2.0

import RepriseText
import Testing

@Suite struct IPAddressTests {
    @Test(arguments: [
        "", "1", "1.2.3", "1.2.3.4.5", "256.1.1.1", "+1.1.1.1", "1.2.3.4x", ":", ":::", "1::2::3", "12345::", "g::",
        "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1.2.3.4:80", "::1.2.3", "1:2:3:4:5:6:7::8:9", "010.0.0.1",
        // An IPv4 address can only be at the end.
        "1.2.3.4::", "1:1.2.3.4::", "::1.2.3.4:5", "-0::1", "::-1",
    ])
    func rejectsInvalidAddresses(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(
        arguments: [
            ("192.0.2.1", [192, 0, 2, 1]), ("::ffff:192.0.2.1", [192, 0, 2, 1]), ("::FFFF:c000:201", [192, 0, 2, 1]),
            ("fe80::1%eth0", [0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [1]),
            ("1:2:3:4:5:6:7:8", [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8]),
            ("1:2:3:4:5:6:7::", [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 0]),
        ] as [(String, [UInt8])]
    )
    func readsAddresses(text: String, bytes: [UInt8]) {
        #expect(IPAddress(text)?.bytes == bytes)
    }

    @Test(arguments: [
        ("127.0.0.1", true, false), ("127.255.1.2", true, false), ("::1", true, false),
        ("0:0:0:0:0:0:0:1", true, false),
        ("::ffff:127.0.0.1", true, false), ("128.0.0.1", false, false), ("::2", false, false),
        ("0.0.0.0", false, true), ("::", false, true), ("0:0:0:0:0:0:0:0", false, true), ("0.0.0.1", false, false),
    ])
    func distinguishesLoopbackAndUnspecifiedAddresses(text: String, isLoopback: Bool, isUnspecified: Bool) {
        #expect(IPAddress(text)?.isLoopback == isLoopback)
        #expect(IPAddress(text)?.isUnspecified == isUnspecified)
    }

    @Test(arguments: [
        ("7", 7), ("007", 7), ("", nil), ("+7", nil), ("-7", nil), ("7 ", nil), ("٧", nil), ("123", 123), ("1234", nil),
    ])
    func readsDigits(text: String, number: Int?) {
        #expect(Int(digits: text.utf8, 1...3) == number)
    }

    @Test func rejectsNumbersThatAreTooLarge() {
        #expect(Int(digits: "9223372036854775807".utf8) == .max)
        #expect(Int(digits: "9223372036854775808".utf8) == nil)
    }
}
