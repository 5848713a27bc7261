// SPDX-License-Identifier: Apache-2.0

@testable import RepriseStubs
@testable import RepriseText

/// Reading any bytes returns stub mappings or reports problems with their places in the file. Mappings are the same
/// after they are written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzStubMappingReader(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    do throws(FixtureProblems) {
        let read = try StubMappingReader.read(input, file: "f")
        require(read.locations.count == read.mappings.count, "not one place for each mapping")
        for location in read.locations { requirePlace(location, in: input) }
        for note in read.notes { if let location = note.location { requirePlace(location, in: input) } }
        requireRoundTrip(read.mappings)
    } catch {
        requireProblems(error, in: input)
    }
    return 0
}

private func requireRoundTrip(_ mappings: [StubMapping]) {
    for mapping in mappings {
        let bytes = StubMappingWriter.write(mapping)
        do throws(StubProblems) {
            let again = try StubMappingReader.read(mapping: bytes)
            require(StubMappingWriter.write(again) == bytes, "different bytes")
        } catch {
            fatalError("\(error)\n\(String(decoding: bytes, as: UTF8.self))")
        }
    }
}
