// SPDX-License-Identifier: Apache-2.0

#if canImport(Combine)
    import Testing

    @testable import Reprise

    @MainActor @Suite struct ProgressObserverTests {
        @Test(.timeLimit(.minutes(3))) func publishesUploadAndDownloadProgress() async throws {
            let observer = ProgressObserver()
            let api = Client("https://h", transport: StubTransport { $0.all { _ in .text("ok") } })
            try await api.put("/").body("abc").onProgress(observer).send()
            while observer.upload?.fraction != 1 || observer.download?.fraction != 1 { await Task.yield() }
            #expect(observer.upload == TransferProgress(.upload, bytes: 3, total: 3))
            #expect(observer.download == TransferProgress(.download, bytes: 2, total: 2))
        }
    }
#endif
