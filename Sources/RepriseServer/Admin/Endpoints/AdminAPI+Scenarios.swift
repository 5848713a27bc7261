// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
internal import RepriseDocuments
internal import RepriseStubs
internal import RepriseText

// The scenarios.
extension AdminAPI {
    static let scenarioRoutes = [
        AdminRoute("GET", "/scenarios") { api, request, _ throws(AdminFailure) in
            let scenarios = await api.control.scenarios(in: request.session)
            return .model(
                AdminList(
                    scenarios.map {
                        ScenarioState(
                            name: $0.name,
                            state: $0.state,
                            possibleStates: $0.states,
                            mappings: $0.stubs.map(\.mapping)
                        )
                    }
                )
            )
        },
        AdminRoute("POST", "/scenarios/reset") { api, request, _ throws(AdminFailure) in
            await api.control.resetScenarios(in: request.session)
            return .empty
        },
        AdminRoute("PUT", "/scenarios/{name}/state") { api, request, parameters throws(AdminFailure) in
            try await api.setScenario(parameters.first, request)
            return .empty
        },
    ]

    private func setScenario(_ name: String, _ request: AdminRequest) async throws(AdminFailure) {
        var state = StubMapping.Scenario.started
        if !request.content.isEmpty {
            do throws(AdminModelError) {
                state = try AdminModelError.reading(try request.jsonForModel()) { node throws(JSONMistake) in
                    try JSONFields(reading: node, "a state", known: ["state"]).string("state") ?? ""
                }
            } catch {
                throw AdminFailure(error)
            }
        }
        do throws(ScenarioError) {
            try await control.setScenario(name, to: state, in: request.session)
        } catch {
            let (status, code) =
                switch error {
                case .unknownScenario: (404, 404)
                case .unknownState: (422, 11)
                }
            throw AdminFailure(
                status: status,
                [AdminErrors.Reason(code: code, title: "Invalid scenario or state", detail: "\(error)")]
            )
        }
    }
}

extension AdminRequest {
    fileprivate func jsonForModel() throws(AdminModelError) -> JSONTree {
        do throws(JSONError) { return try JSONTree(parsing: content) } catch {
            throw AdminModelError(pointer: "", message: error.message)
        }
    }
}
