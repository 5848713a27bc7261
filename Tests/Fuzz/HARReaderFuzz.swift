// SPDX-License-Identifier: Apache-2.0

@testable import RepriseCassettes
@testable import RepriseFixtures
@testable import RepriseText

/// Reading any bytes returns exchanges that a cassette can contain, or reports problems with their places in the file.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHARReader(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    do throws(FixtureProblems) {
        let read = try HARReader.read(input, file: "f")
        require(read.locations.count == read.exchanges.count, "not one place for each exchange")
        for location in read.locations + read.notes.compactMap(\.location) { requirePlace(location, in: input) }
        requireCassette(of: read.exchanges)
    } catch {
        requireProblems(error, in: input)
    }
    return 0
}

/// Requires that a cassette can contain the exchanges of a capture.
private func requireCassette(of exchanges: [Exchange]) {
    let cassette = Cassette(exchanges: exchanges)
    guard let written = try? CassetteWriter.write(cassette) else { fatalError("exchanges that cannot be written") }
    do throws(FixtureProblems) {
        let read = try CassetteReader.read(written.bytes, file: "f", bodies: .inMemory(written.bodies))
        require(read.cassette == cassette, "different cassette")
    } catch {
        fatalError("\(error)\n\(String(decoding: written.bytes, as: UTF8.self))")
    }
}
