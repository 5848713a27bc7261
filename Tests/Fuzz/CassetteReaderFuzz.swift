// SPDX-License-Identifier: Apache-2.0

@testable import RepriseCassettes
@testable import RepriseText

/// Whatever the bytes are, reading them ends, with a cassette or with mistakes at places in the file; and a cassette that
/// was read is the same after writing and reading it again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCassetteReader(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    do throws(FixtureProblems) {
        let read = try CassetteReader.read(input, file: "f", bodies: .inMemory(["a.bin": [0xFF], "b/c.txt": [0x61]]))
        require(read.locations.count == read.cassette.exchanges.count, "a place for each exchange")
        for location in read.locations { requirePlace(location, in: input) }
        requireRoundTrip(read.cassette)
    } catch {
        requireProblems(error, in: input)
    }
    return 0
}

private func requireRoundTrip(_ cassette: Cassette) {
    guard let written = try? CassetteWriter.write(cassette) else {
        fatalError("a cassette that was read cannot be written")
    }
    do throws(FixtureProblems) {
        let again = try CassetteReader.read(written.bytes, file: "f", bodies: .inMemory(written.bodies))
        require(again.cassette == cassette, "another cassette")
        require((try? CassetteWriter.write(again.cassette)) == written, "other bytes")
    } catch {
        fatalError("\(error)\n\(String(decoding: written.bytes, as: UTF8.self))")
    }
}
