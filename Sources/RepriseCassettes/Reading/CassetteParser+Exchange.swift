// SPDX-License-Identifier: Apache-2.0

package import RepriseDocuments
internal import RepriseText

extension CassetteParser {
    /// Reads the whole file.
    mutating func cassette() throws(JSONError) -> Cassette? {
        var cassette = Cassette()
        guard var object = try open("the cassette", CassetteKey.ofCassette) else {
            _ = try reader.next()
            return nil
        }
        var format: Cassette.Format?
        while let key = try nextKey(of: &object) {
            switch key {
            case .reprise: format = try self.format()
            case .note: cassette.note = try note()
            case .standIns:
                newFeatures.append((reader.tokenPlace, "\"standIns\""))
                cassette.standIns = try standIns()
            default: cassette.exchanges = try exchanges()
            }
        }
        require(.reprise, .exchanges, in: object)
        switch format {
        case .one?: reportNewFeatures()
        case .two?: if cassette.standIns == nil { cassette.standIns = [] }
        case nil: break
        }
        _ = try reader.next()
        return cassette
    }

    private mutating func format() throws(JSONError) -> Cassette.Format? {
        let token = try reader.next()
        let latest = Cassette.Format.latest.rawValue
        if case .number(let range) = token, let number = Int(reader.spelling(of: range)), number > 0 {
            if let format = Cassette.Format(rawValue: number) { return format }
            newerFormat = problem(
                at: location(of: reader.tokenPlace),
                "format \(number) is newer than this release can read (\(latest)); upgrade Reprise"
            )
            return nil
        }
        try reject(token, "expected the format number, 1 or \(latest), for \"reprise\"")
        return nil
    }

    /// Reports what a cassette of format 1 cannot contain.
    private mutating func reportNewFeatures() {
        for feature in newFeatures {
            report(at: feature.place, "expected \"reprise\": 2 in a cassette with \(feature.name), found 1")
        }
    }

    private mutating func exchanges() throws(JSONError) -> [Exchange] {
        var exchanges: [Exchange] = []
        guard try openArray("expected an array of exchanges for \"exchanges\"") else { return [] }
        while let exchange = try exchange() {
            if let exchange = exchange { exchanges.append(exchange) }
        }
        return exchanges
    }

    /// Reads the next exchange. Returns `nil` at the end of the array and `.some(nil)` for an invalid exchange.
    package mutating func exchange() throws(JSONError) -> Exchange?? {
        let token = try reader.next()
        if token == .endArray { return nil }
        try stopIfThereAreMore()
        guard token == .beginObject else {
            try reject(token, "expected an object for the exchange")
            return .some(nil)
        }
        var object = Object(name: "the exchange", place: reader.tokenPlace, known: CassetteKey.ofExchange)
        locations.append(location(of: object.place))
        var request: RecordedRequest?
        var outcome: Exchange.Outcome?
        var recorded: RecordingTime?
        var note: String?
        while let key = try nextKey(of: &object) {
            switch key {
            case .note: note = try self.note()
            case .request: request = try self.request()
            case .response: outcome = try response().map { .response($0) }
            case .failure: outcome = try word(among: Failure.ofServer, for: .failure).map { .failure($0) }
            case .end: outcome = try word(among: [Failure.cancelled], for: .end).map { .failure($0) }
            default: recorded = try self.recorded()
            }
        }
        require(.request, in: object)
        let had = object.seen.union(object.misspelled)
        let outcomes = [CassetteKey.response, .failure, .end].filter { had.contains($0.group) }
        if outcomes == [.response, .failure] {
            report(at: object.place, "expected either \"response\" or \"failure\", found both")
        } else if outcomes.count > 1 {
            report(at: object.place, "expected only one of \"response\", \"failure\", and \"end\", found more")
        } else if outcomes.isEmpty {
            report(at: object.place, "expected \"response\" or \"failure\" in the exchange, found none")
        }
        guard let request, let outcome else { return .some(nil) }
        return Exchange(request: request, outcome: outcome, recorded: recorded, note: note)
    }

    private mutating func recorded() throws(JSONError) -> RecordingTime? {
        guard var object = try open("\"recorded\"", CassetteKey.ofRecording) else { return nil }
        var time = RecordingTime(at: "")
        while let key = try nextKey(of: &object) {
            switch key {
            case .note: time.note = try note()
            case .at:
                let expectation = "expected a time such as \"2026-11-21T09:00:00Z\" for \"at\""
                time.at = try string(expectation, CassetteRules.fault(time:)) ?? ""
            default: time.milliseconds = try wholeTime()
            }
        }
        require(.at, in: object)
        return time
    }

    private mutating func wholeTime() throws(JSONError) -> Double? {
        let token = try reader.next()
        guard case .number(let range) = token, let value = Double(reader.spelling(of: range)), value >= 0,
            value.isFinite
        else {
            try reject(token, "expected a number of milliseconds, 0 or more")
            return nil
        }
        return value
    }
}

extension Failure {
    /// The failures that say something about the server, in the order of messages.
    fileprivate static var ofServer: [Failure] { allCases.filter { $0 != .cancelled } }
}
