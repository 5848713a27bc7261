// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
internal import RepriseText

// The settings that apply to all answers.
extension AdminAPI {
    static let settingsRoutes = [
        AdminRoute("GET", "/settings") { api, _, _ throws(AdminFailure) in .model(await api.control.settings) },
        AdminRoute("POST", "/settings") { api, request, _ throws(AdminFailure) in try await api.replaceSettings(request)
        },
        AdminRoute("PUT", "/settings") { api, request, _ throws(AdminFailure) in try await api.replaceSettings(request)
        },
        AdminRoute("PATCH", "/settings/extended") { api, request, _ throws(AdminFailure) in
            try await api.changeExtended(request)
        },
    ]

    private func replaceSettings(_ request: AdminRequest) async throws(AdminFailure) -> AdminResponse {
        await control.setSettings(try received(request))
        return .empty
    }

    private func changeExtended(_ request: AdminRequest) async throws(AdminFailure) -> AdminResponse {
        let changes = try received(request)
        var settings = await control.settings
        settings.merge(extended: changes.extended ?? [])
        await control.setSettings(settings)
        return .empty
    }

    private func received(_ request: AdminRequest) throws(AdminFailure) -> ServerSettings {
        let json = try request.json()
        do throws(AdminModelError) { return try ServerSettings(received: json) } catch {
            let message = "\(error.message); the previous settings stay in use"
            throw AdminFailure(AdminModelError(pointer: error.pointer, message: message))
        }
    }
}
