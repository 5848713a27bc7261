// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// Names that an app is likely to use for its own targets. Target names are unique in a package graph, so this package
// resolves only as long as no target of Reprise has one of these names.
let names = ["Locking", "Recording", "Matching", "Fixtures", "CZlib", "COpenSSL"]

let package = Package(
    name: "bookshop",
    platforms: [.macOS(.v13), .iOS(.v16)],
    dependencies: [.package(name: "reprise", path: "../..")],
    targets: [
        // What the app ships needs the client and nothing else.
        .target(
            name: "Bookshop",
            dependencies: names.map { .byName(name: $0) } + [.product(name: "Reprise", package: "reprise")]
        ),
        // A complete app, and a program that uses everything it offers.
        .target(name: "Travelog", dependencies: [.product(name: "Reprise", package: "reprise")]),
        .executableTarget(name: "tour", dependencies: ["Travelog"]),
        .testTarget(
            name: "BookshopTests",
            dependencies: [
                "Bookshop", .product(name: "Reprise", package: "reprise"),
                .product(name: "RepriseTesting", package: "reprise"),
            ],
            exclude: ["Fixtures"]
        ),
        .testTarget(
            name: "TravelogTests",
            dependencies: [
                "Travelog", "tour", .product(name: "Reprise", package: "reprise"),
                .product(name: "RepriseControl", package: "reprise"),
                .product(name: "RepriseTesting", package: "reprise"),
            ],
            exclude: ["Fixtures"]
        ),
        // An app whose code is on the main actor unless it says otherwise, as Xcode sets up new projects.
        .testTarget(
            name: "MainActorTests",
            dependencies: [.product(name: "Reprise", package: "reprise")],
            swiftSettings: [.defaultIsolation(MainActor.self)]
        ),
    ]
)

package.targets += names.map { .target(name: $0, path: "Sources/Names/\($0)") }
