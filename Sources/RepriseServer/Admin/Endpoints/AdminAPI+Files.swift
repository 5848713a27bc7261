// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
internal import RepriseFixtures
internal import RepriseStorage
internal import RepriseStubAnswers
internal import RepriseStubs
internal import RepriseText

// Files in the fixture folder, and saving stubs to it.
extension AdminAPI {
    static let fileRoutes = [
        AdminRoute("GET", "/files") { api, _, _ throws(AdminFailure) in
            let names = try SavedFiles.reporting([], try api.checkFolder().files) {
                folder throws(ContainedFolder.Failure) in
                try folder.list()
            }
            return .json(.array(names.map { .string($0) }))
        },
        AdminRoute("GET", "/files/{path…}") { api, _, parameters throws(AdminFailure) in
            try api.file(parameters.values)
        },
        AdminRoute("PUT", "/files/{path…}") { api, request, parameters throws(AdminFailure) in
            let folder = try api.checkFolder()
            try await api.control.saving { files throws(AdminFailure) in
                try files.write(request.content, to: parameters.values, in: folder)
            }
            await api.readAgain(parameters.values)
            return .empty
        },
        AdminRoute("DELETE", "/files/{path…}") { api, request, parameters throws(AdminFailure) in
            let folder = try api.checkFolder()
            try await api.control.saving { files throws(AdminFailure) in
                try files.remove(parameters.values, in: folder)
            }
            await api.readAgain(parameters.values)
            return .empty
        },
    ]

    @discardableResult
    func checkFolder() throws(AdminFailure) -> AdminFolder {
        guard let folder else {
            throw .conflict(
                "expected a server with a fixture folder to save to, found one without; start it with a folder, or leave "
                    + "out \"persistent\""
            )
        }
        return folder
    }

    private func file(_ parts: [String]) throws(AdminFailure) -> AdminResponse {
        guard let content = try SavedFiles.read(parts, in: try checkFolder().files) else {
            let name = shown(parts.joined(separator: "/"))
            throw .notFound("expected a file below __files, found none at '\(name)'")
        }
        return .bytes(content, ContentType.named(byFilename: parts.last ?? ""))
    }

    private func readAgain(_ parts: [String]) async {
        let name = parts.joined(separator: "/")
        for stub in await control.stubs() where stub.mapping.response.body == .file(name) {
            _ = try? await control.replace(stub.id, with: stub.mapping)
        }
    }

    // MARK: Stubs

    @discardableResult
    func checkFolder(_ request: AdminRequest) throws(AdminFailure) -> AdminFolder {
        guard request.session == nil else {
            throw .refused(
                "expected a stub of the server, found one of a session, whose stubs are not saved; leave out "
                    + "\"persistent\", or use the URL of the server"
            )
        }
        return try checkFolder()
    }

    func save(_ request: AdminRequest) async throws(AdminFailure) -> AdminResponse {
        let folder = try checkFolder(request)
        try await control.save(await control.unsavedStubs(), in: folder)
        return .empty
    }

    func save(_ stubs: [StubFixture]) async throws(AdminFailure) {
        guard !stubs.isEmpty else { return }
        try await control.save(stubs, in: try checkFolder())
    }
}
