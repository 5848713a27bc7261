// SPDX-License-Identifier: Apache-2.0
// A request by URLSession on Linux: client URL

import Foundation
import FoundationNetworking

let url = URL(string: CommandLine.arguments[1] + "/urlsession")!
do {
    let (data, _) = try await URLSession.shared.data(from: url)
    print(String(decoding: data, as: UTF8.self))
} catch {
    fputs("\(error)\n", stderr)
    exit(1)
}
