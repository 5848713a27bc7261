// SPDX-License-Identifier: Apache-2.0

@testable import RepriseCassettes
@testable import RepriseText

/// Reading any bytes returns a cassette or reports problems with their places in the file. A cassette is the same after
/// it is written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCassetteReader(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    do throws(FixtureProblems) {
        let read = try CassetteReader.read(input, file: "f", bodies: .inMemory(["a.bin": [0xFF], "b/c.txt": [0x61]]))
        require(read.locations.count == read.cassette.exchanges.count, "not one place for each exchange")
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
        require(again.cassette == cassette, "different cassette")
        require((try? CassetteWriter.write(again.cassette)) == written, "different bytes")
    } catch {
        fatalError("\(error)\n\(String(decoding: written.bytes, as: UTF8.self))")
    }
}
