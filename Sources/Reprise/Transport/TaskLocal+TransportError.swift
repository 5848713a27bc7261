// SPDX-License-Identifier: Apache-2.0

extension TaskLocal where Value: Sendable {
    /// Runs an operation with a value bound to the variable, like `withValue`, which would erase the type of the error.
    package func binding<Success>(
        _ value: Value,
        _ operation: () async throws(TransportError) -> Success
    ) async throws(TransportError) -> Success {
        let outcome = await withValue(value) { () async -> Result<Success, TransportError> in
            await Result(of: operation)
        }
        return try outcome.get()
    }
}
