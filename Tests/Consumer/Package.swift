// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "bookshop",
    platforms: [.macOS(.v13), .iOS(.v16)],
    dependencies: [.package(name: "reprise", path: "../..")],
    targets: [
        // What the app ships needs the client and nothing else.
        .target(name: "Bookshop", dependencies: [.product(name: "Reprise", package: "reprise")]),
        // A whole app, and a program that does all that it can do.
        .target(name: "Travelog", dependencies: [.product(name: "Reprise", package: "reprise")]),
        .executableTarget(name: "tour", dependencies: ["Travelog"]),
        .testTarget(
            name: "BookshopTests",
            dependencies: ["Bookshop", .product(name: "RepriseTesting", package: "reprise")],
            exclude: ["Fixtures"]
        ),
        .testTarget(
            name: "TravelogTests",
            dependencies: ["Travelog", .product(name: "RepriseTesting", package: "reprise")],
            exclude: ["Fixtures"]
        ),
    ]
)
