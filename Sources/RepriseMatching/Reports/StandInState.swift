// SPDX-License-Identifier: Apache-2.0

package import RepriseText

/// What a stand-in stands for when a request comes in, without the value.
package struct StandInState: Sendable, Hashable, CustomStringConvertible {
    /// The text of the stand-in.
    package var text: String
    /// The place in the request, such as `header.authorization` or `cookie.sid`.
    package var place: String
    /// How the stand-in is bound.
    package var binding: Binding

    /// How a stand-in is bound.
    package enum Binding: String, Sendable, Hashable {
        /// It has no value yet.
        case free
        /// It has the value of the request, or the request has its text.
        case thisValue = "bound to the value of this request"
        /// It has another value.
        case anotherValue = "bound to another value"
    }

    /// The maximum number of stand-ins in a report.
    package static let limit = 8

    /// The state in a line.
    package var description: String {
        "\(clipped(text, to: 40)) in \(place): \(binding.rawValue)"
    }
}

extension SequenceState {
    /// Returns the states of the stand-ins that divide a sequence, in the order of the recording, up to a limit.
    package func standIns(of sequence: FixtureSequence.ID, for request: RequestView) -> [StandInState] {
        guard let choice = choice(of: sequence) else { return [] }
        let values = choices.values(of: request, choice)
        var known: Set<[Int]> = []
        var found: [(number: StandInNumber, place: Int)] = []
        for position in choice.sequences.indices where found.count < StandInState.limit {
            for (place, number) in choice.numbers(at: position).enumerated() where number.isSecret {
                if known.insert([place, Int(number.rawValue)]).inserted { found.append((number, place)) }
            }
        }
        let standIns = found
        return bindings.withValues { [choices] bindings in
            standIns.prefix(StandInState.limit).map { number, place in
                let bound = bindings[number]
                let isOwn = values[place].map { bound == $0 || choices.numbers(withText: $0).contains(number) } ?? false
                return StandInState(
                    text: choices.names[Int(number.rawValue)].text,
                    place: choice.places.description(at: place),
                    binding: isOwn ? .thisValue : bound == nil ? .free : .anotherValue
                )
            }
        }
    }
}
