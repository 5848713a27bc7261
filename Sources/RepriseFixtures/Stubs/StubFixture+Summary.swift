// SPDX-License-Identifier: Apache-2.0

extension StubFixture {
    /// The method and target of the requests that it answers, such as `GET /users/{id}`.
    package var summary: String {
        let route = RouteList.Route(self)
        return "\(route.method) \(route.path)"
    }
}
