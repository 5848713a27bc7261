// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

extension TargetDependencyCondition {
    static var asyncHTTPClient: TargetDependencyCondition? { .when(traits: ["AsyncHTTPClient"]) }
    static var commandLine: TargetDependencyCondition? { .when(traits: ["CommandLine"]) }
}

let package = Package(
    name: "reprise",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .executable(name: "mockserver", targets: ["RepriseCommand"]),
        .library(name: "Reprise", targets: ["Reprise"]),
        .library(name: "RepriseAsyncHTTPClient", targets: ["RepriseAsyncHTTPClient"]),
        .library(name: "RepriseControl", targets: ["RepriseControl"]),
        .library(name: "RepriseReplay", targets: ["RepriseReplay"]),
        .library(name: "RepriseServer", targets: ["RepriseServer"]),
        .library(name: "RepriseStubs", targets: ["RepriseStubs"]),
        .library(name: "RepriseTesting", targets: ["RepriseTesting"]),
    ],
    traits: [
        .default(enabledTraits: ["CommandLine"]),
        .trait(
            name: "CommandLine",
            description: "The tool mockserver, and the redaction rules in reprise.yaml, with ArgumentParser and Yams"
        ),
        .trait(
            name: "AsyncHTTPClient",
            description: "AsyncHTTPClientTransport, which speaks HTTP/2, over async-http-client and SwiftNIO"
        ),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        // Resolved and built with the trait CommandLine only, which is enabled by default.
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/jpsim/Yams.git", from: "6.2.2"),
        // Resolved and built with the trait AsyncHTTPClient only.
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.81.0"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.36.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.30.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CRepriseLibevent",
            pkgConfig: "libevent_core",
            providers: [.apt(["libevent-dev"]), .brew(["libevent"])]
        ),
        .systemLibrary(
            name: "CRepriseOpenSSL",
            pkgConfig: "libssl",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
        ),
        // No pkg-config: zlib is in Apple's SDKs and, on Linux, in the default folders, and on a Mac, pkg-config would
        // find Homebrew's zlib, even for iOS.
        .systemLibrary(name: "CRepriseZlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "RepriseContentCoding", dependencies: ["CRepriseZlib", "RepriseText"]),
        .target(name: "RepriseLocking"),
        .target(name: "RepriseStorage", dependencies: ["RepriseLocking"]),
        .target(
            name: "RepriseIO",
            dependencies: ["CRepriseLibevent", "CRepriseOpenSSL", "RepriseHashing", "RepriseLocking", "RepriseText"]
        ),
        .target(name: "RepriseWire"),
        .target(
            name: "RepriseConnections",
            dependencies: ["RepriseIO", "RepriseWire", "RepriseLocking", "RepriseText"]
        ),
        .target(
            name: "RepriseHashing",
            // Elsewhere it is CryptoKit's.
            dependencies: [.target(name: "CRepriseOpenSSL", condition: .when(platforms: [.linux]))]
        ),
        .target(name: "RepriseText"),
        .target(name: "RepriseDocuments", dependencies: ["RepriseText"]),
        .target(name: "RepriseQueries", dependencies: ["RepriseText", "RepriseDocuments"]),
        .target(
            name: "RepriseCassettes",
            dependencies: ["RepriseText", "RepriseDocuments", "RepriseHashing", "RepriseStorage"]
        ),
        .target(
            name: "RepriseMatching",
            dependencies: [
                "RepriseText", "RepriseDocuments", "RepriseQueries", "RepriseStubs", "RepriseContentCoding",
                "RepriseLocking",
            ]
        ),
        .target(name: "RepriseAnswers", dependencies: ["RepriseText"]),
        .target(name: "RepriseStubs", dependencies: ["RepriseText", "RepriseDocuments"]),
        .target(name: "RepriseAdmin", dependencies: ["RepriseText", "RepriseDocuments", "RepriseStubs"]),
        .target(
            name: "RepriseControl",
            dependencies: ["RepriseAdmin", "RepriseStubs", "RepriseText", "RepriseDocuments", "RepriseLocking"]
        ),
        .target(name: "RepriseTemplates", dependencies: ["RepriseText", "RepriseDocuments", "RepriseQueries"]),
        .target(
            name: "RepriseStubAnswers",
            dependencies: [
                "RepriseText", "RepriseDocuments", "RepriseCassettes", "RepriseMatching", "RepriseAnswers",
                "RepriseStubs", "RepriseTemplates", "RepriseHashing", "RepriseLocking",
            ]
        ),
        .target(
            name: "RepriseRedaction",
            dependencies: [
                "RepriseText", "RepriseDocuments", "RepriseCassettes", "RepriseContentCoding", "RepriseLocking",
            ]
        ),
        .target(
            name: "RepriseFixtures",
            dependencies: [
                "RepriseText", "RepriseDocuments", "RepriseCassettes", "RepriseMatching", "RepriseAnswers",
                "RepriseRedaction",
                "RepriseStubs", "RepriseStubAnswers", "RepriseStorage", "RepriseHashing", "RepriseLocking",
                "RepriseContentCoding",
                .product(name: "Yams", package: "Yams", condition: .commandLine),
            ]
        ),
        .target(
            name: "RepriseRecording",
            dependencies: [
                "RepriseText", "RepriseDocuments", "RepriseCassettes", "RepriseMatching", "RepriseAnswers",
                "RepriseRedaction",
                "RepriseFixtures", "RepriseHashing", "RepriseStorage", "RepriseLocking",
            ]
        ),
        .target(
            name: "RepriseServer",
            dependencies: [
                "RepriseIO", "RepriseWire", "RepriseConnections", "RepriseText", "RepriseDocuments", "RepriseQueries",
                "RepriseCassettes",
                "RepriseMatching",
                "RepriseAnswers", "RepriseRedaction", "RepriseStubs", "RepriseAdmin", "RepriseStubAnswers",
                "RepriseFixtures", "RepriseRecording", "RepriseStorage",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .executableTarget(
            name: "RepriseCommand",
            dependencies: [
                "RepriseServer", "RepriseText", "RepriseDocuments", "RepriseQueries", "RepriseMatching",
                "RepriseStubAnswers", "RepriseFixtures", "RepriseRecording", "RepriseIO",
                "RepriseConnections", "RepriseStorage", "RepriseAdmin",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: .commandLine),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .target(
            name: "Reprise",
            dependencies: [
                "RepriseText", "RepriseDocuments", "RepriseHashing", "RepriseStorage", "RepriseLocking",
                "RepriseContentCoding",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                // An app on an Apple platform talks through URLSession and needs neither libevent nor OpenSSL.
                .target(name: "RepriseConnections", condition: .when(platforms: [.linux])),
                .target(name: "RepriseIO", condition: .when(platforms: [.linux])),
            ]
        ),
        // Without the trait it says only that there is one.
        .target(
            name: "RepriseAsyncHTTPClient",
            dependencies: [
                "Reprise", "RepriseLocking",
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: .asyncHTTPClient),
                .product(name: "NIOCore", package: "swift-nio", condition: .asyncHTTPClient),
                .product(name: "NIOPosix", package: "swift-nio", condition: .asyncHTTPClient),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .asyncHTTPClient),
                .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: .asyncHTTPClient),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .asyncHTTPClient),
            ]
        ),
        .target(
            name: "RepriseReplay",
            dependencies: [
                "Reprise", "RepriseLocking", "RepriseText", "RepriseCassettes", "RepriseMatching", "RepriseAnswers",
                "RepriseRedaction", "RepriseStubs", "RepriseStubAnswers", "RepriseFixtures", "RepriseRecording",
                "RepriseStorage",
            ]
        ),
        .target(
            name: "RepriseTesting",
            dependencies: [
                "Reprise", "RepriseReplay", "RepriseLocking", "RepriseText", "RepriseQueries", "RepriseCassettes",
                "RepriseMatching",
                "RepriseAnswers", "RepriseRedaction", "RepriseStubAnswers", "RepriseFixtures", "RepriseRecording",
                "RepriseAdmin", "RepriseControl",
                // Where nothing serves, `withMockServer` is missing, and neither libevent nor OpenSSL is needed.
                .target(name: "RepriseServer", condition: .when(platforms: [.linux, .macOS])),
                .target(name: "RepriseIO", condition: .when(platforms: [.linux, .macOS])),
            ]
        ),
        // Limits how many tests run at once.
        .target(name: "CRepriseTestWidth", path: "Tests/CRepriseTestWidth"),
        .target(
            name: "RepriseTestSupport",
            dependencies: ["CRepriseTestWidth", "RepriseIO", "RepriseLocking", "RepriseText"],
            path: "Tests/RepriseTestSupport"
        ),
        .testTarget(name: "RepriseIOTests", dependencies: ["RepriseIO", "RepriseText", "RepriseTestSupport"]),
        .testTarget(name: "RepriseWireTests", dependencies: ["RepriseWire", "RepriseTestSupport"]),
        .testTarget(
            name: "RepriseConnectionsTests",
            dependencies: ["RepriseConnections", "RepriseWire", "RepriseIO", "RepriseTestSupport"]
        ),
        .testTarget(name: "RepriseLockingTests", dependencies: ["RepriseLocking", "RepriseTestSupport"]),
        .testTarget(name: "RepriseHashingTests", dependencies: ["RepriseHashing"]),
        .testTarget(name: "RepriseStorageTests", dependencies: ["RepriseStorage"]),
        .testTarget(name: "RepriseContentCodingTests", dependencies: ["RepriseContentCoding", "RepriseTestSupport"]),
        .testTarget(
            name: "RepriseDocumentsTests",
            dependencies: ["RepriseText", "RepriseDocuments", "RepriseTestSupport"]
        ),
        .testTarget(
            name: "RepriseQueriesTests",
            dependencies: [
                "RepriseQueries", "RepriseText", "RepriseDocuments", "RepriseLocking", "RepriseTestSupport",
            ]
        ),
        .testTarget(name: "RepriseTextTests", dependencies: ["RepriseText", "RepriseDocuments", "RepriseTestSupport"]),
        .testTarget(
            name: "RepriseCassettesTests",
            dependencies: ["RepriseCassettes", "RepriseText", "RepriseDocuments", "RepriseHashing"]
        ),
        .testTarget(
            name: "RepriseMatchingTests",
            dependencies: [
                "RepriseMatching", "RepriseQueries", "RepriseStubs", "RepriseText", "RepriseDocuments",
                "RepriseTestSupport",
            ]
        ),
        .testTarget(name: "RepriseStubsTests", dependencies: ["RepriseStubs", "RepriseText", "RepriseDocuments"]),
        .testTarget(
            name: "RepriseControlTests",
            dependencies: ["RepriseControl", "RepriseAdmin", "RepriseServer", "RepriseStubs", "RepriseText"]
        ),
        .testTarget(
            name: "RepriseAdminTests",
            dependencies: ["RepriseAdmin", "RepriseStubs", "RepriseText", "RepriseDocuments"]
        ),
        .testTarget(
            name: "RepriseTemplatesTests",
            dependencies: ["RepriseTemplates", "RepriseText", "RepriseDocuments"]
        ),
        .testTarget(
            name: "RepriseStubAnswersTests",
            dependencies: [
                "RepriseStubAnswers", "RepriseAnswers", "RepriseMatching", "RepriseStubs", "RepriseTemplates",
                "RepriseText",
            ]
        ),
        .testTarget(
            name: "RepriseRedactionTests",
            dependencies: ["RepriseRedaction", "RepriseText", "RepriseCassettes", "RepriseTestSupport"]
        ),
        .testTarget(
            name: "RepriseFixturesTests",
            dependencies: [
                "RepriseFixtures", "RepriseText", "RepriseDocuments", "RepriseCassettes", "RepriseMatching",
                "RepriseAnswers", "RepriseStubs", "RepriseStubAnswers", "RepriseRedaction", "RepriseTestSupport",
            ]
        ),
        .testTarget(
            name: "RepriseRecordingTests",
            dependencies: [
                "RepriseRecording", "RepriseText", "RepriseCassettes", "RepriseMatching", "RepriseRedaction",
                "RepriseFixtures", "RepriseHashing", "RepriseLocking", "RepriseTestSupport",
                // The corpus of secrets is recorded, and then played to clients.
                "Reprise", "RepriseReplay", "RepriseContentCoding",
            ],
            exclude: ["Corpus/Cases"]
        ),
        .testTarget(
            name: "RepriseServerTests",
            dependencies: [
                "RepriseServer", "RepriseText", "RepriseDocuments", "RepriseCassettes", "RepriseMatching",
                "RepriseAnswers",
                "RepriseStubs", "RepriseStubAnswers", "RepriseFixtures", "RepriseRecording", "RepriseIO",
                "RepriseWire", "RepriseTestSupport",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "RepriseTests",
            dependencies: [
                "Reprise", "RepriseAsyncHTTPClient", "RepriseText", "RepriseStorage", "RepriseLocking", "RepriseIO",
                "RepriseTestSupport",
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: .asyncHTTPClient),
                .product(name: "NIOCore", package: "swift-nio", condition: .asyncHTTPClient),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .asyncHTTPClient),
                .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: .asyncHTTPClient),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .asyncHTTPClient),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "RepriseReplayTests",
            dependencies: [
                "RepriseReplay", "Reprise", "RepriseText", "RepriseCassettes", "RepriseStubs", "RepriseFixtures",
                "RepriseLocking", "RepriseTestSupport",
            ]
        ),
        .testTarget(
            name: "RepriseTestingTests",
            dependencies: [
                "RepriseTesting", "RepriseReplay", "RepriseServer", "Reprise", "RepriseCassettes", "RepriseStubs",
                "RepriseFixtures", "RepriseTestSupport",
            ],
            exclude: ["Fixtures"]
        ),
        .testTarget(
            name: "RepriseDocumentationTests",
            dependencies: [
                "Reprise", "RepriseReplay", "RepriseServer", "RepriseStubs", "RepriseTesting",
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["Examples/Fixtures", "Messages/Messages.txt"]
        ),
        .testTarget(
            name: "RepriseCommandTests",
            dependencies: ["RepriseCommand", "RepriseIO", "RepriseTesting", "RepriseTestSupport"]
        ),
    ]
)

// The benchmarks of single parts reach what no product shows, so they are a target of this package, which nobody else
// resolves or builds. Counting allocations needs jemalloc, which no step here should have to install: no traits.
if Context.environment["REPRISE_BENCHMARKS"] != nil {
    package.dependencies.append(
        .package(url: "https://github.com/ordo-one/benchmark.git", exact: "1.38.1", traits: [])
    )
    package.targets.append(
        .executableTarget(
            name: "RepriseBenchmarks",
            dependencies: [
                "Reprise", "RepriseCassettes", "RepriseAnswers", "RepriseFixtures", "RepriseMatching",
                "RepriseRedaction",
                "RepriseReplay", "RepriseText", "RepriseWire",
                .product(name: "Benchmark", package: "benchmark"),
            ],
            path: "Benchmarks/Micro",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        )
    )
}

// What a caller awaits in these runs where the caller is, on the main actor, say; what works for long is `@concurrent`.
let staysOnCallersActor: Set = ["Reprise", "RepriseAsyncHTTPClient", "RepriseReplay", "RepriseTesting"]

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .strictMemorySafety(),
    ]
    if staysOnCallersActor.contains(target.name) {
        target.swiftSettings?.append(.enableUpcomingFeature("NonisolatedNonsendingByDefault"))
    }
    if ["RepriseText", "RepriseDocuments", "RepriseMatching", "RepriseServer"].contains(target.name) {
        // For an array's span, and for requests that are borrowed, which say how long they live.
        target.swiftSettings?.append(.enableExperimentalFeature("Lifetimes"))
    }
    // Warnings stop our own CI, never the build of a package that depends on this one.
    if Context.environment["REPRISE_WARNINGS_AS_ERRORS"] != nil {
        target.swiftSettings?.append(.treatAllWarnings(as: .error))
    }
}
