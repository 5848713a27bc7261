// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

// Load generators that measure the products of the package in the parent folder from outside. The microbenchmarks are a
// target of that package: run `REPRISE_BENCHMARKS=1 swift package benchmark` there.

import PackageDescription

let package = Package(
    name: "reprise-benchmarks",
    platforms: [.macOS(.v13)],
    dependencies: [
        .package(name: "reprise", path: ".."),
        .package(url: "https://github.com/swift-server/async-http-client.git", exact: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio.git", exact: "2.101.2"),
    ],
    targets: [
        .executableTarget(
            name: "ClientLoad",
            dependencies: [
                .product(name: "Reprise", package: "reprise"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]
        )
    ]
)

// The load generator uses epoll and the kernel's receive times.
#if os(Linux)
    package.targets += [
        .systemLibrary(name: "CEpoll"),
        .executableTarget(name: "StreamLoad", dependencies: ["CEpoll"]),
    ]
#endif

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
