// SPDX-License-Identifier: Apache-2.0

package import RepriseMatching

/// A stub that is served. A class, because answers and journal records refer to it.
package final class ServedStub: Sendable {
    /// The stub.
    package let stub: StubFixture
    /// The stub's place in the order, and how often it has answered.
    package let entry: StubEntry

    /// Creates a stub that has not answered yet.
    package convenience init(_ stub: StubFixture, number: Int) {
        self.init(stub, StubEntry(stub.rule, number: number))
    }

    private init(_ stub: StubFixture, _ entry: StubEntry) {
        self.stub = stub
        self.entry = entry
    }

    /// Returns the same stub in another place, after it was loaded again without a change of its mapping.
    package func moved(to number: Int, as stub: StubFixture) -> ServedStub {
        ServedStub(stub, entry.moved(to: number, as: stub.rule))
    }
}
