// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

// Measures the package in the folder above. Its inner layers are products only when that manifest sees
// REPRISE_BENCHMARKS, so every command here starts with REPRISE_BENCHMARKS=1.

import PackageDescription

let package = Package(
    name: "reprise-benchmarks",
    platforms: [.macOS(.v13)],
    dependencies: [
        .package(name: "reprise", path: ".."),
        // Without its traits: counting allocations needs jemalloc, which no step here should have to install.
        .package(url: "https://github.com/ordo-one/benchmark.git", exact: "1.38.1", traits: []),
        .package(url: "https://github.com/swift-server/async-http-client.git", exact: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio.git", exact: "2.101.2"),
    ],
    targets: [
        .executableTarget(
            name: "Micro",
            dependencies: [
                .product(name: "Benchmark", package: "benchmark"),
                .product(name: "RepriseWire", package: "reprise"),
                .product(name: "Reprise", package: "reprise"),
                .product(name: "RepriseFixtures", package: "reprise"),
                .product(name: "RepriseReplay", package: "reprise"),
            ],
            path: "Benchmarks/Micro",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
        .executableTarget(
            name: "ClientLoad",
            dependencies: [
                .product(name: "Reprise", package: "reprise"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]
        ),
    ]
)

// The load generator stands on epoll and on the kernel's receive times.
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
