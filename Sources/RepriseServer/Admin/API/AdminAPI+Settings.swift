// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
internal import RepriseText

// The settings that apply to all answers.
extension AdminAPI {
    static let settingsRoutes = [
        AdminRoute("GET", "/settings") { api, _, _ throws(AdminFailure) in .shape(await api.control.settings) },
        AdminRoute("POST", "/settings") { api, request, _ throws(AdminFailure) in try await api.replaceSettings(request)
        },
        AdminRoute("PUT", "/settings") { api, request, _ throws(AdminFailure) in try await api.replaceSettings(request)
        },
        AdminRoute("PATCH", "/settings/extended") { api, request, _ throws(AdminFailure) in
            try await api.changeExtended(request)
        },
    ]

    private func replaceSettings(_ request: AdminRequest) async throws(AdminFailure) -> AdminResponse {
        let json = try request.json()
        let settings: ServerSettings
        do throws(AdminShapeError) { settings = try ServerSettings(received: json) } catch { throw AdminFailure(error) }
        await control.setSettings(settings)
        return .empty
    }

    private func changeExtended(_ request: AdminRequest) async throws(AdminFailure) -> AdminResponse {
        let json = try request.json()
        let changes: ServerSettings
        do throws(AdminShapeError) { changes = try ServerSettings(received: json) } catch { throw AdminFailure(error) }
        var settings = await control.settings
        settings.merge(extended: changes.extended ?? [])
        await control.setSettings(settings)
        return .empty
    }
}
