// SPDX-License-Identifier: Apache-2.0

import Foundation
import Travelog

let arguments = CommandLine.arguments.dropFirst()
// A UI test names its server in the environment.
let server = ProcessInfo.processInfo.environment["REPRISE_SERVER"] ?? (arguments.count == 2 ? arguments.first : nil)
guard let server, let file = arguments.last else { exit("usage: tour URL PHOTO") }
let journal = Travelog(server)
let photo = URL(filePath: file)

do {
    try await journal.signIn(as: "ada", password: "a lighthouse at noon")
    for try await page in journal.photos() { print("photos:", page.map(\.caption)) }
    let added = try await journal.add(photo, caption: "The harbour") { print("sent: \(Int($0 * 100)) %") }
    print("added:", added.id)
    for try await message in try await journal.chat(about: "lisbon") { print("\(message.author): \(message.text)") }
    print(try await journal.photo("p-0"))
} catch let error as TravelogError {
    print("error from the journal:", error)
} catch {
    exit("cannot reach the journal: \(error)")
}

func exit(_ message: String) -> Never {
    print(message)
    exit(EXIT_FAILURE)
}
