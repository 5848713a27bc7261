// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import Testing

/// The article "Download a file", with a stub.
@Suite struct DownloadExamples {
    private let api = Client("https://api.example.com", transport: StubTransport { $0.get("/films/7", .text("film")) })
    private let film = FileManager.default.temporaryDirectory.appending(path: "reprise-\(UUID().uuidString)")

    private func expectFilm() throws {
        #expect(try Data(contentsOf: film) == Data("film".utf8))
        try FileManager.default.removeItem(at: film)
    }

    @Test func downloadsFile() async throws {
        try await api.get("/films/7").download(to: film, resuming: true)
        try expectFilm()
    }

    @Test func retriesDownload() async throws {
        try await RetryPolicy.exponential(attempts: 5).run { _ in
            try await api.get("/films/7").download(to: film, resuming: true)
        }
        try expectFilm()
    }

    @Test func downloadsData() async throws {
        var partial = PartialDownload()
        let film = try await RetryPolicy.exponential().run { _ in
            try await api.get("/films/7").download(resuming: &partial)
        }
        #expect(film == Data("film".utf8))
    }

    @Test func showsProgress() async throws {
        @Sendable func show(_ fraction: Double) { #expect(fraction >= 0) }
        try await api.get("/films/7").onDownloadProgress { show($0.fraction ?? 0) }.download(to: film, resuming: true)
        try expectFilm()
    }
}
