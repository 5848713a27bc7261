// SPDX-License-Identifier: Apache-2.0

private import RepriseHashing
internal import RepriseStubs
package import RepriseText

/// Creates identifiers for stubs that have none.
package enum StubID {
    /// Returns the identifier of a recording or route file, as if it were a stub.
    package static func make(for source: FixtureSource) -> String {
        let place = source.location.map { "\(source.file):\($0.line):\($0.column)" } ?? source.file
        return uuid(of: place)
    }

    /// Returns a UUID (RFC 9562, version 8) that depends on the place of the mapping, or on the mapping if it is in
    /// memory, so it is the same in each run.
    static func make(for mapping: StubMapping, _ source: FixtureSource) -> String {
        let place = source.location.map { "\(source.file):\($0.line):\($0.column)" }
        return uuid(of: place ?? "\(mapping)")
    }

    private static func uuid(of text: String) -> String {
        var bytes = Array(SHA256.digest(of: Array(text.utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return UUIDText.text(of: bytes)
    }
}
