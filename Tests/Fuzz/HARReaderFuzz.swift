// SPDX-License-Identifier: Apache-2.0

@testable import RepriseCassettes
@testable import RepriseFixtures
@testable import RepriseText

/// Whatever the bytes are, reading them ends, with exchanges that can be written into a cassette or with mistakes at places
/// in the file.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHARReader(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    do throws(FixtureProblems) {
        let read = try HARReader.read(input, file: "f")
        require(read.locations.count == read.exchanges.count, "a place for each exchange")
        for location in read.locations + read.notes.compactMap(\.location) { requirePlace(location, in: input) }
        requireCassette(of: read.exchanges)
    } catch {
        requireProblems(error, in: input)
    }
    return 0
}

/// What a capture holds is what a cassette may hold.
private func requireCassette(of exchanges: [Exchange]) {
    let cassette = Cassette(exchanges: exchanges)
    guard let written = try? CassetteWriter.write(cassette) else { fatalError("exchanges that cannot be written") }
    do throws(FixtureProblems) {
        let read = try CassetteReader.read(written.bytes, file: "f", bodies: .inMemory(written.bodies))
        require(read.cassette == cassette, "another cassette")
    } catch {
        fatalError("\(error)\n\(String(decoding: written.bytes, as: UTF8.self))")
    }
}
