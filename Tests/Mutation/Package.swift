// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package of its own, so that nobody who builds Reprise needs swift-syntax.
let package = Package(
    name: "mutation",
    platforms: [.macOS(.v13)],
    dependencies: [.package(url: "https://github.com/swiftlang/swift-syntax.git", from: "602.0.0")],
    targets: [
        .executableTarget(
            name: "Mutate",
            dependencies: ["SwiftParser", "SwiftOperators", "SwiftSyntax"].map {
                .product(name: $0, package: "swift-syntax")
            }
        )
    ]
)
