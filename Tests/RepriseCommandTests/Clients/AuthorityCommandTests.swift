// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseServer
import RepriseTestSupport
import Testing

@Suite struct AuthorityCommandTests {
    @Test func environmentNamesBundleInProxysFolder() async throws {
        let folder = try TemporaryFolder()
        let arguments = ["ca", "env", "--proxy-folder", "ca"]
        let place = URL(fileURLWithPath: folder.path)
        let missing = try await MockServerProcess(arguments, in: place).result()
        #expect(missing.status == 1)
        #expect(missing.errors.hasSuffix("/ca, found none; start the proxy first\n"), "\(missing.errors)")
        _ = try LocalAuthority.create(in: "\(folder.path)/ca")
        let result = try await MockServerProcess(arguments, in: place).result()
        #expect(result.status == 0)
        #expect(result.output.contains("export SSL_CERT_FILE=\(folder.path)/ca/clients/bundle.pem\n"), "\(result)")
    }
}
