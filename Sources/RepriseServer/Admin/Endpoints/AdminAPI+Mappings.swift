// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
internal import RepriseFixtures
internal import RepriseMatching
internal import RepriseStubAnswers
internal import RepriseStubs
internal import RepriseText

// The stubs.
extension AdminAPI {
    static let mappingRoutes = [
        AdminRoute("GET", "") { api, request, _ throws(AdminFailure) in
            guard request.isBare else { return try await api.mappings(request) }
            // Relative, because a session has the path below a prefix.
            let location = HeaderLine(name: "Location", value: "__admin/")
            return AdminResponse(status: 302, contentType: nil, headers: [location])
        },
        AdminRoute("GET", "/mappings") { api, request, _ throws(AdminFailure) in try await api.mappings(request) },
        AdminRoute("POST", "/mappings") { api, request, _ throws(AdminFailure) in
            .model(try await api.add(request), status: 201)
        },
        AdminRoute("DELETE", "/mappings") { api, request, _ throws(AdminFailure) in await api.removeAll(request) },
        AdminRoute("POST", "/mappings/new") { api, request, _ throws(AdminFailure) in
            .model(try await api.add(request), status: 201)
        },
        AdminRoute("POST", "/mappings/edit") { api, request, _ throws(AdminFailure) in
            let mapping = try request.mapping()
            guard let id = mapping.id else {
                throw .unreadable("/id", "expected the id of the stub to edit, found none")
            }
            _ = try await api.edit(id, mapping, request)
            return AdminResponse(status: 204, contentType: nil)
        },
        AdminRoute("POST", "/mappings/save") { api, request, _ throws(AdminFailure) in try await api.save(request) },
        AdminRoute("POST", "/mappings/reset") { api, request, _ throws(AdminFailure) in
            try await api.reset(request)
            return .empty
        },
        AdminRoute("POST", "/mappings/import") { api, request, _ throws(AdminFailure) in
            try await api.importMappings(request)
        },
        AdminRoute("POST", "/mappings/find-by-metadata") { api, request, _ throws(AdminFailure) in
            let matcher = try MetadataMatcher(request)
            return api.list(await api.control.stubs(in: request.session).filter { matcher.matches($0.mapping) })
        },
        AdminRoute("POST", "/mappings/remove-by-metadata") { api, request, _ throws(AdminFailure) in
            let matcher = try MetadataMatcher(request)
            let stubs = await api.control.stubs(in: request.session).filter { matcher.matches($0.mapping) }
            try await api.remove(Set(stubs.map(\.id)), request)
            return .empty
        },
        AdminRoute("POST", "/mappings/remove") { api, request, _ throws(AdminFailure) in
            try await api.removeEqual(request)
        },
        AdminRoute("GET", "/mappings/unmatched") { api, request, _ throws(AdminFailure) in
            api.list(await api.unused(request))
        },
        AdminRoute("DELETE", "/mappings/unmatched") { api, request, _ throws(AdminFailure) in
            try await api.remove(Set(await api.unused(request).map(\.id)), request)
            return .empty
        },
        AdminRoute("GET", "/mappings/{id}") { api, request, parameters throws(AdminFailure) in
            .model(try await api.stub(parameters.first, request).mapping)
        },
        AdminRoute("PUT", "/mappings/{id}") { api, request, parameters throws(AdminFailure) in
            .model(try await api.edit(parameters.first, try request.mapping(), request))
        },
        AdminRoute("DELETE", "/mappings/{id}") { api, request, parameters throws(AdminFailure) in
            try await api.remove([try await api.stub(parameters.first, request).id], request)
            return .empty
        },
    ]

    // MARK: Reading

    private func mappings(_ request: AdminRequest) async throws(AdminFailure) -> AdminResponse {
        let (limit, offset) = (try request.count("limit"), try request.count("offset") ?? 0)
        let stubs = await control.stubs(in: request.session)
        let page = stubs.dropFirst(offset).prefix(limit ?? .max)
        return list(page, total: stubs.count)
    }

    private func list(_ stubs: some Collection<StubFixture>, total: Int? = nil) -> AdminResponse {
        let meta = ",\"meta\":{\"total\":\(total ?? stubs.count)}"
        return .list("mappings", stubs.lazy.map(\.mapping.json), more: meta)
    }

    private func stub(_ id: String, _ request: AdminRequest) async throws(AdminFailure) -> StubFixture {
        guard let stub = await control.stub(id.lowercased(), in: request.session) else { throw Self.noStub(id) }
        return stub
    }

    private static func noStub(_ id: String) -> AdminFailure {
        .notFound("expected the id of a stub, found '\(shown(id))'; GET /__admin/mappings lists the stubs")
    }

    /// Returns the stubs that answered none of the requests in the journal.
    private func unused(_ request: AdminRequest) async -> [StubFixture] {
        let used = Set(await control.journal(in: request.session).entries.compactMap { $0.stub?.mapping.id })
        return await control.stubs(in: request.session).filter { !used.contains($0.id) }
    }

    // MARK: Changing

    private func add(_ request: AdminRequest) async throws(AdminFailure) -> StubMapping {
        let mapping = try request.mapping()
        if mapping.isPersistent == true { try checkFolder(request) }
        var before: [StubFixture] = []
        if let id = mapping.id, let stub = await control.stub(id, in: request.session) { before = [stub] }
        let added: [StubFixture]
        do throws(FixtureProblems) { added = try await control.add([mapping], in: request.session) } catch {
            throw AdminFailure(error)
        }
        try await save(added, after: before, request)
        return added[0].mapping
    }

    /// Saves the persistent ones among stubs that were added. If that fails, what was served before is served again.
    ///
    /// - Parameter before: The stubs that were served before, at least those that were replaced.
    private func save(
        _ added: [StubFixture],
        after before: [StubFixture],
        _ request: AdminRequest
    ) async throws(AdminFailure) {
        do throws(AdminFailure) { try await save(added.filter { $0.mapping.isPersistent == true }) } catch {
            let ids = Set(added.map(\.id))
            let replaced = before.filter { ids.contains($0.id) }
            try? await remove(ids.subtracting(replaced.map(\.id)), request)
            for stub in replaced { _ = try? await control.replace(stub.id, with: stub.mapping, in: request.session) }
            throw error
        }
    }

    private func edit(
        _ id: String,
        _ mapping: StubMapping,
        _ request: AdminRequest
    ) async throws(AdminFailure) -> StubMapping {
        let previous = try await stub(id, request)
        var mapping = mapping
        // The path determines which stub is edited.
        mapping.id = previous.id
        if mapping.isPersistent == true { try checkFolder(request) }
        let edited: StubFixture?
        do throws(FixtureProblems) {
            edited = try await control.replace(previous.id, with: mapping, in: request.session)
        } catch {
            throw AdminFailure(error)
        }
        guard let edited else { throw Self.noStub(id) }
        if mapping.isPersistent == true {
            do throws(AdminFailure) { try await save([edited]) } catch {
                _ = try? await control.replace(previous.id, with: previous.mapping, in: request.session)
                throw error
            }
        }
        return edited.mapping
    }

    private func remove(_ ids: Set<String>, _ request: AdminRequest) async throws(AdminFailure) {
        let removed = await control.remove(ids, in: request.session)
        await removeSavedFiles(of: removed, request)
    }

    private func removeSavedFiles(of stubs: [StubFixture], _ request: AdminRequest) async {
        guard request.session == nil, let folder else { return }
        let ids = stubs.map(\.id)
        try? await control.saving { $0.remove(stubs: ids, in: folder) }
    }

    private func removeAll(_ request: AdminRequest) async -> AdminResponse {
        let stubs = await control.stubs(in: request.session)
        await control.removeAll(in: request.session)
        await removeSavedFiles(of: stubs, request)
        return .empty
    }

    /// Removes the stub with the identifier of a mapping, or else the first one with the same request.
    private func removeEqual(_ request: AdminRequest) async throws(AdminFailure) -> AdminResponse {
        let mapping = try request.mapping()
        let stubs = await control.stubs(in: request.session)
        let same = stubs.filter { $0.id == mapping.id }
        let equal = same.isEmpty ? stubs.filter { $0.mapping.request == mapping.request } : same
        try await remove(Set(equal.prefix(1).map(\.id)), request)
        return .empty
    }

    private func importMappings(_ request: AdminRequest) async throws(AdminFailure) -> AdminResponse {
        let stubs = try request.model(StubImport.self)
        let before = await control.stubs(in: request.session)
        let known = Set(before.map(\.id))
        let wanted = stubs.mappings.filter { mapping in
            stubs.duplicatePolicy == .overwrite || !(mapping.id.map { known.contains($0) } ?? false)
        }
        if wanted.contains(where: { $0.isPersistent == true }) { try checkFolder(request) }
        let added: [StubFixture]
        // The first stub of an import is tried first, so it is added last.
        do throws(FixtureProblems) {
            added = try await control.add(wanted.reversed(), in: request.session)
        } catch {
            throw AdminFailure(error)
        }
        try await save(added, after: before, request)
        if stubs.deletesOthers {
            let kept = Set(added.map(\.id) + stubs.mappings.compactMap(\.id))
            try await remove(known.subtracting(kept), request)
        }
        return .empty
    }

    /// Serves the stubs of the files again, resets scenarios and sequences, and empties the journal.
    func reset(_ request: AdminRequest) async throws(AdminFailure) {
        do throws(FixtureProblems) {
            if request.session == nil { try await control.reloadSaved(configuration.tool.paths) }
        } catch {
            throw .conflict("the files that were saved cannot be loaded, so nothing was reset: \(error)")
        }
        await control.resetToFiles(in: request.session)
        await control.resetJournal(in: request.session)
    }
}

/// Finds stubs by their metadata.
struct MetadataMatcher {
    private let request: CompiledStubRequest

    init(_ request: AdminRequest) throws(AdminFailure) {
        guard !request.content.isEmpty else { throw .unreadable("", "expected a matcher, found no content") }
        do throws(StubProblems) {
            var pattern = StubRequest()
            pattern.body = [try StubMappingReader.read(matcher: request.content)]
            self.request = try Self.compile(pattern)
        } catch {
            throw AdminFailure(error)
        }
    }

    private static func compile(_ request: StubRequest) throws(StubProblems) -> CompiledStubRequest {
        do throws(StubMatcherProblem) { return try CompiledStubRequest(request) } catch {
            throw StubProblems([
                StubProblem(pointer: "", location: FilePosition(line: 1, column: 1), message: error.message)
            ])
        }
    }

    func matches(_ mapping: StubMapping) -> Bool {
        guard let metadata = mapping.metadata else { return false }
        let content = OwnedRequest(method: "POST", url: "/", body: metadata.bytes)
        return request.matches(DecodedRequest(content))
    }
}
