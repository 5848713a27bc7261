// SPDX-License-Identifier: Apache-2.0

@testable import RepriseAdmin
@testable import RepriseStubs
@testable import RepriseText

/// Reading any bytes as what the admin API sends or receives returns a value, or an error whose place is a JSON
/// pointer. A value is the same after it is written and read again. The first byte selects the kind of value.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAdminModel(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let first = input.first else { return 0 }
    let text = Array(input.dropFirst())
    switch first % 12 {
    case 0: check(AdminList<ServeEvent>.self, text)
    case 1: check(AdminList<LoggedRequest>.self, text)
    case 2: check(ServeEvent.self, text)
    case 3: check(VerificationCount.self, text)
    case 4: check(AdminList<NearMiss>.self, text)
    case 5: check(AdminList<StubMapping>.self, text)
    case 6: check(StubImport.self, text)
    case 7: check(AdminList<ScenarioState>.self, text)
    case 8: check(AdminErrors.self, text)
    case 9: check(ServerSession.self, text)
    case 10: check(ServerHealth.self, text)
    default: check(ServerSettings.self, text)
    }
    return 0
}

private func check<Shape: AdminModel>(_: Shape.Type, _ text: [UInt8]) {
    do throws(AdminModelError) {
        let value = try Shape(parsing: text)
        let written = value.json.bytes
        let again: Shape
        do throws(AdminModelError) { again = try Shape(parsing: written) } catch {
            fatalError("\(error)\n\(String(decoding: written, as: UTF8.self))")
        }
        // Compared as text: what is read can be spelled in several ways, what is written cannot.
        precondition(again.json.bytes == written, "different bytes")
    } catch {
        precondition(error.pointer.isEmpty || error.pointer.hasPrefix("/"), "no pointer: \(error.pointer)")
        precondition(!error.message.isEmpty, "no message")
    }
}
