// SPDX-License-Identifier: Apache-2.0

extension Result {
    /// Creates the result of asynchronous work.
    init(of work: () async throws(Failure) -> Success) async {
        do throws(Failure) {
            self = .success(try await work())
        } catch {
            self = .failure(error)
        }
    }
}
