// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

@main
struct MockServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "mockserver")
}
