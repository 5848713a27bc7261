// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseStubs

extension Bend {
    /// Creates the edit that a stub mapping describes.
    init(_ bend: StubBend) {
        self.init(Place(bend.place), Edit(bend.edit))
    }
}

extension Bend.Place {
    fileprivate init(_ place: StubBend.Place) {
        self =
            switch place {
            case .start: .start
            case .event(let number): .event(number)
            case .afterEvent(let number): .afterEvent(number)
            case .line(let number): .line(number)
            case .afterLine(let number): .afterLine(number)
            case .afterByte(let count): .afterByte(count)
            case .afterTime(let time): .afterTime(time)
            }
    }
}

extension Bend.Edit {
    fileprivate init(_ edit: StubBend.Edit) {
        self =
            switch edit {
            case .insert(let text): .insert(text)
            case .replace(let text): .replace(text)
            case .drop: .drop
            case .repeat(let count): .repeat(count)
            case .delay(let time): .delay(time)
            case .stall: .stall
            case .reset: .reset
            case .truncate: .truncate
            case .bytesPerSecond(let count): .slow(bytesPerSecond: count)
            case .rechunk(let size): .rechunk(size)
            case .rechunkRandomly(let seed): .rechunkRandomly(seed: seed)
            case .status(let status): .status(status)
            case .header(let header): .header(header.name, header.value)
            }
    }
}
