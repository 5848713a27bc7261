// SPDX-License-Identifier: Apache-2.0

import Glibc

@main
enum StreamLoad {
    static func main() {
        guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
            print(Options.usage)
            exit(64)
        }
        var client = LoadClient(options)
        do {
            try client.run()
        } catch {
            print("StreamLoad: \(error)")
            exit(1)
        }
        print(client.report.text(options))
        exit(client.report.completed == options.connections ? 0 : 1)
    }
}
