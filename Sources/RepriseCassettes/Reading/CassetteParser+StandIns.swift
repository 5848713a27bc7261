// SPDX-License-Identifier: Apache-2.0

package import RepriseDocuments
internal import RepriseText

// Reads the table of stand-ins.
extension CassetteParser {
    /// Reads the table.
    package mutating func standIns() throws(JSONError) -> [StandIn] {
        guard try openArray("expected an array of stand-ins for \"standIns\"") else { return [] }
        var standIns: [StandIn] = []
        var known: Set<String> = []
        while var object = try nextObject("the stand-in", CassetteKey.ofStandIn) {
            let place = object.place
            guard let standIn = try standIn(&object) else { continue }
            if known.insert(standIn.text).inserted {
                standIns.append(standIn)
                standInLocations.append(location(of: place))
            } else {
                report(at: place, CassetteRules.repeated(standIn))
            }
        }
        return standIns
    }

    private mutating func standIn(_ object: inout Object) throws(JSONError) -> StandIn? {
        let problemsBefore = problems.count
        var standIn = StandIn("")
        while let key = try nextKey(of: &object) {
            switch key {
            case .note: standIn.note = try note()
            case .text: standIn.text = try string("expected a string for \"text\"") ?? ""
            case .shape: standIn.shape = try word(StandIn.Shape.self, for: .shape)
            default: standIn.literal = try string("expected a string for \"literal\"")
            }
        }
        require(.text, in: object)
        guard problems.count == problemsBefore else { return nil }
        if let fault = CassetteRules.fault(of: standIn) {
            report(at: object.place, fault)
            return nil
        }
        return standIn
    }
}
