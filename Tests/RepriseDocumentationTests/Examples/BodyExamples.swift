// SPDX-License-Identifier: Apache-2.0

import Reprise

struct Digest {
    var count = 0

    mutating func update(_ bytes: [UInt8]) {
        count += bytes.count
    }
}

func digest(of response: Response) async throws -> Digest {
    var digest = Digest()
    for try await chunk in response.body {  // [UInt8], never empty
        digest.update(chunk)
    }
    return digest
}
