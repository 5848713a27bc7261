// SPDX-License-Identifier: Apache-2.0

internal import RepriseMatching
internal import RepriseText

/// A stub that is served, with its place in the order in which stubs are tried, and the number of its answers.
///
/// It stays the same when the stubs around it change. A class, because answers and journal records refer to it: copying
/// a stub would retain each of its parts.
package final class ServedStub: Sendable {
    /// The stub.
    package let stub: StubFixture
    /// The place among the stubs with the same priority: the highest number is tried first. A stub that replaces
    /// another takes over its number.
    package let number: Int
    /// A number that identifies this stub in the process. A stub that replaces another has its own.
    package let serial: Int
    /// The number of its answers, outside sessions.
    let counter: OrdinalCounter

    private static let serials = OrdinalCounter()

    /// The highest serial number so far.
    package static var lastSerial: Int { serials.taken }

    /// Creates a stub that has not answered yet.
    package init(_ stub: StubFixture, number: Int) {
        self.stub = stub
        self.number = number
        serial = Self.serials.take()
        counter = OrdinalCounter()
    }

    private init(_ stub: StubFixture, number: Int, of other: ServedStub) {
        self.stub = stub
        self.number = number
        serial = other.serial
        counter = other.counter
    }

    /// Returns the same stub in another place, after it was loaded again without a change of its mapping.
    package func moved(to number: Int, as stub: StubFixture) -> ServedStub {
        ServedStub(stub, number: number, of: self)
    }

    /// Whether it is tried before another stub.
    package func precedes(_ other: ServedStub) -> Bool {
        stub.priority == other.stub.priority ? number > other.number : stub.priority < other.stub.priority
    }

    /// Sets the number of its answers to 0.
    package func resetCounter() { counter.reset() }
}
