// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import RepriseDocuments
internal import RepriseText

/// Everything that a rendering depends on: the request, the time, random values, and the environment.
package struct TemplateContext: Sendable {
    package var request: TemplateRequest
    /// For the templates of a webhook, the request that it follows. They do not see ``request``.
    package var originalRequest: TemplateRequest?
    /// The `transformerParameters` of the stub: an object.
    package var parameters: JSONTree
    /// The time, in milliseconds since 1970 in UTC.
    package var now: Int64
    /// The zone of dates with a format and without a zone.
    package var timeZone: TimeZone
    /// The seed of random helpers; `nil` for different values each time.
    package var seed: UInt64?
    package var hostname: String
    /// Regular expressions of the keys that `systemValue` may read.
    package var permittedSystemKeys: [String]
    /// The variable with the token of the admin API, which no pattern permits.
    static let deniedSystemKey = "MOCKSERVER_ADMIN_TOKEN"
    /// Returns the value of an environment variable.
    package var environment: @Sendable (String) -> String?
    package var limits: Limits

    /// The units of work in a step of a rendering; see ``WorkBudget``.
    package static let unitsPerStep = 40

    /// The limits of a rendering.
    package struct Limits: Sendable {
        /// The maximum number of steps: tags, iterations, and comparisons.
        package var steps: Int
        package var outputBytes: Int

        package init(steps: Int = 2_000_000, outputBytes: Int = 64 << 20) {
            self.steps = steps
            self.outputBytes = outputBytes
        }
    }

    /// Creates a context.
    package init(
        request: TemplateRequest,
        originalRequest: TemplateRequest? = nil,
        parameters: JSONTree = .object([]),
        now: Int64,
        timeZone: TimeZone = .current,
        seed: UInt64? = nil,
        hostname: String = "localhost",
        permittedSystemKeys: [String] = ["wiremock.*"],
        environment: @escaping @Sendable (String) -> String? = { _ in nil },
        limits: Limits = Limits()
    ) {
        self.request = request
        self.originalRequest = originalRequest
        self.parameters = parameters
        self.now = now
        self.timeZone = timeZone
        self.seed = seed
        self.hostname = hostname
        self.permittedSystemKeys = permittedSystemKeys
        self.environment = environment
        self.limits = limits
    }
}
