// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

extension TargetDependencyCondition {
    static var asyncHTTPClient: TargetDependencyCondition? { .when(traits: ["AsyncHTTPClient"]) }
}

let package = Package(
    name: "reprise",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .executable(name: "mockserver", targets: ["mockserver"]),
        .library(name: "Reprise", targets: ["Reprise"]),
        .library(name: "RepriseAsyncHTTPClient", targets: ["RepriseAsyncHTTPClient"]),
        .library(name: "RepriseReplay", targets: ["RepriseReplay"]),
        .library(name: "RepriseServer", targets: ["RepriseServer"]),
        .library(name: "RepriseTesting", targets: ["RepriseTesting"]),
    ],
    traits: [
        .trait(
            name: "AsyncHTTPClient",
            description: "AsyncHTTPClientTransport, which speaks HTTP/2, over async-http-client and SwiftNIO"
        )
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/jpsim/Yams.git", from: "6.2.2"),
        // Resolved and built with the trait AsyncHTTPClient only.
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.81.0"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.36.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.30.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CLibevent",
            pkgConfig: "libevent_core",
            providers: [.apt(["libevent-dev"]), .brew(["libevent"])]
        ),
        .systemLibrary(
            name: "COpenSSL",
            pkgConfig: "libssl",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
        ),
        // The SDKs of Apple have it.
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "ContentCoding", dependencies: ["CZlib"]),
        .target(name: "Locking"),
        .target(name: "FileStorage"),
        .target(name: "EventIO", dependencies: ["CLibevent", "COpenSSL", "Locking"]),
        .target(name: "HTTPWire"),
        .target(name: "HTTPConnections", dependencies: ["EventIO", "HTTPWire"]),
        .target(
            name: "RepriseFixtures",
            dependencies: ["ContentCoding", "FileStorage", "Locking", .product(name: "Yams", package: "Yams")]
        ),
        .target(
            name: "RepriseServer",
            dependencies: [
                "EventIO", "HTTPWire", "HTTPConnections", "RepriseFixtures",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .executableTarget(
            name: "mockserver",
            dependencies: [
                "RepriseServer", "RepriseFixtures", "EventIO",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .target(
            name: "Reprise",
            dependencies: [
                "FileStorage", "Locking",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                // An app on an Apple platform talks through URLSession and needs neither libevent nor OpenSSL.
                .target(name: "HTTPConnections", condition: .when(platforms: [.linux])),
                .target(name: "EventIO", condition: .when(platforms: [.linux])),
            ]
        ),
        // Without the trait it says only that there is one.
        .target(
            name: "RepriseAsyncHTTPClient",
            dependencies: [
                "Reprise", "Locking",
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: .asyncHTTPClient),
                .product(name: "NIOCore", package: "swift-nio", condition: .asyncHTTPClient),
                .product(name: "NIOPosix", package: "swift-nio", condition: .asyncHTTPClient),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .asyncHTTPClient),
                .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: .asyncHTTPClient),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .asyncHTTPClient),
            ]
        ),
        .target(name: "RepriseReplay", dependencies: ["Reprise", "RepriseFixtures", "Locking"]),
        .target(
            name: "RepriseTesting",
            dependencies: [
                "RepriseReplay", "Locking",
                // Where nothing serves, `withMockServer` is missing, and neither libevent nor OpenSSL is needed.
                .target(name: "RepriseServer", condition: .when(platforms: [.linux, .macOS])),
            ]
        ),
        .target(name: "TestSupport", dependencies: ["EventIO", "Locking"], path: "Tests/TestSupport"),
        .testTarget(name: "EventIOTests", dependencies: ["EventIO", "TestSupport"]),
        .testTarget(name: "HTTPWireTests", dependencies: ["HTTPWire", "TestSupport"]),
        .testTarget(
            name: "HTTPConnectionsTests",
            dependencies: ["HTTPConnections", "HTTPWire", "EventIO", "TestSupport"]
        ),
        .testTarget(name: "FileStorageTests", dependencies: ["FileStorage"]),
        .testTarget(name: "ContentCodingTests", dependencies: ["ContentCoding"]),
        .testTarget(name: "RepriseFixturesTests", dependencies: ["RepriseFixtures", "FileStorage", "TestSupport"]),
        .testTarget(
            name: "RepriseServerTests",
            dependencies: ["RepriseServer", "RepriseFixtures", "EventIO", "TestSupport"]
        ),
        .testTarget(
            name: "RepriseTests",
            dependencies: [
                "Reprise", "RepriseAsyncHTTPClient", "FileStorage", "Locking", "EventIO", "TestSupport",
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: .asyncHTTPClient),
                .product(name: "NIOCore", package: "swift-nio", condition: .asyncHTTPClient),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .asyncHTTPClient),
                .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: .asyncHTTPClient),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .asyncHTTPClient),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "RepriseReplayTests",
            dependencies: ["RepriseReplay", "Reprise", "RepriseFixtures", "Locking", "EventIO", "TestSupport"]
        ),
        .testTarget(
            name: "RepriseTestingTests",
            dependencies: ["RepriseTesting", "RepriseReplay", "RepriseServer", "Reprise"],
            exclude: ["Fixtures"]
        ),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "Reprise", "RepriseReplay", "RepriseServer", "RepriseTesting",
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["Examples/Fixtures"]
        ),
        .testTarget(name: "EndToEndTests", dependencies: ["mockserver", "EventIO", "RepriseServer", "TestSupport"]),
    ]
)

// Benchmarks/ is a package of its own and measures layers that are not products for anyone else.
if Context.environment["REPRISE_BENCHMARKS"] != nil {
    package.products += [
        .library(name: "EventIO", targets: ["EventIO"]),
        .library(name: "HTTPConnections", targets: ["HTTPConnections"]),
        .library(name: "HTTPWire", targets: ["HTTPWire"]),
        .library(name: "RepriseFixtures", targets: ["RepriseFixtures"]),
    ]
}

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .strictMemorySafety(),
    ]
    // Warnings stop our own CI, never the build of a package that depends on this one.
    if Context.environment["REPRISE_WARNINGS_AS_ERRORS"] != nil {
        target.swiftSettings?.append(.treatAllWarnings(as: .error))
    }
}
