// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Chooses among sequences that are equal except for their stand-ins. Pure.
///
/// At each place, a sequence fits a request, from best to worst, if
/// 1. its stand-in is bound to the value of the request, or has that value as its text, because the client got it from
///    a recorded response;
/// 2. its stand-in is free, or stands for any value;
/// 3. its stand-in is bound to another value;
/// 4. its stand-in first occurs in a response, so the client would have got its text or a bound value from the server;
/// 5. only one of the two has something there, such as a cookie.
///
/// The sequence that fits in most places answers. Among those that fit equally, it is the one whose turn it is: the one
/// whose next answer was recorded first.
struct StandInRanking {
    let choice: StandInChoice
    let choices: StandInChoices
    let request: [StandInValue?]
    let bindings: StandInBindings.Values
    let turns: Turns

    /// What is known about the answers of a sequence.
    struct Turns {
        /// Whether all answers of the sequence with this number were taken and none is left.
        var isExhausted: (Int) -> Bool
        /// The order of the next answer of a sequence among those of others.
        var order: (Int) -> (round: Int, fixture: Int)
    }

    /// How well a sequence fits.
    private struct Fit {
        var matches = 0
        var faults = 0
        var isFree = true

        func isBetter(than other: Fit) -> Bool {
            (-matches, faults) < (-other.matches, other.faults)
        }

        func isAsGood(as other: Fit) -> Bool { matches == other.matches && faults == other.faults }
    }

    /// Returns the position of the sequence that answers, or `nil` if all sequences are exhausted.
    func best(where isAllowed: (Int) -> Bool = { _ in true }) -> Int? {
        best(of: ownPositions, stopsAtFree: false, isAllowed)
            ?? best(of: choice.sequences.indices, stopsAtFree: true, isAllowed)
    }

    /// The positions of the sequences with a secret that a value of the request stands for.
    private var ownPositions: [Int] {
        var positions: Set<Int32> = []
        for value in request {
            guard let value else { continue }
            for number in bindings.numbers(of: value) + choices.numbers(withText: value) {
                positions.formUnion(choice.positions[number] ?? [])
            }
        }
        return positions.sorted().map(Int.init)
    }

    private func isOpen(_ position: Int) -> Bool { !turns.isExhausted(Int(choice.sequences[position])) }

    /// - Parameter stopsAtFree: Whether the first sequence that fits in all places is taken. Later ones were recorded
    ///   later.
    private func best(
        of positions: some Sequence<Int>,
        stopsAtFree: Bool,
        _ isAllowed: (Int) -> Bool
    ) -> Int? {
        var best: (position: Int, fit: Fit, order: (round: Int, fixture: Int)?)?
        for position in positions {
            guard isOpen(position), isAllowed(Int(choice.sequences[position])) else { continue }
            let fit = fit(of: position)
            // A sequence of one of the request's own secrets may have it in another place.
            guard stopsAtFree || fit.matches > 0 else { continue }
            if let known = best {
                if known.fit.isBetter(than: fit) { continue }
                if known.fit.isAsGood(as: fit) {
                    let order = turns.order(Int(choice.sequences[position]))
                    let knownOrder = known.order ?? turns.order(Int(choice.sequences[known.position]))
                    best = order < knownOrder ? (position, fit, order) : (known.position, known.fit, knownOrder)
                    continue
                }
            }
            best = (position, fit, nil)
            if stopsAtFree, fit.faults == 0, fit.isFree, turns.order(Int(choice.sequences[position])).round == 0 {
                break
            }
        }
        return best?.position
    }

    private func fit(of position: Int) -> Fit {
        var fit = Fit()
        for (number, value) in zip(choice.numbers(at: position), request) {
            guard let value else {
                if number != .none { fit.faults += 4 }
                continue
            }
            if number == .none {
                fit.faults += 4
            } else if number.isSecret {
                let bound = bindings[number]
                if bound == value || stands(number, for: value) {
                    fit.matches += 1
                } else if choices.handedOut.contains(number) {
                    fit.faults += 3
                    fit.isFree = false
                } else if bound != nil {
                    fit.faults += 2
                    fit.isFree = false
                }
            }
        }
        return fit
    }

    private func stands(_ number: StandInNumber, for value: StandInValue) -> Bool {
        choices.numbers(withText: value).contains(number)
    }

    /// Returns the stand-ins that are bound when the sequence at a position answers.
    func newBindings(at position: Int) -> [(number: StandInNumber, value: StandInValue)] {
        var new: [(number: StandInNumber, value: StandInValue)] = []
        for (number, value) in zip(choice.numbers(at: position), request) {
            guard let value, number.isSecret, bindings[number] == nil,
                !new.contains(where: { $0.number == number })
            else { continue }
            let own = choices.numbers(withText: value)
            // The text of another stand-in is not a new value.
            if own.isEmpty || own.contains(number) { new.append((number, value)) }
        }
        return new
    }
}
