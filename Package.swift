// swift-tools-version: 6.2
// Targets in seven levels: a target imports targets of lower levels only, never one of its own level.
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let metrics: Target.Dependency = .product(name: "Metrics", package: "swift-metrics")
let liveSurface: Target.Dependency = .product(name: "LiveSurface", package: "Apple")
let scoreClient: Target.Dependency = .product(name: "ScoreClient", package: "Apple")
let scoreActivityKit: Target.Dependency = .product(name: "ScoreActivityKit", package: "Apple")

let package = Package(
    name: "score-server",
    products: [
        .executable(name: "score-server", targets: ["ScoreServer"]),
        .executable(name: "score-lab", targets: ["ScoreLab"]),
        .library(name: "MatchEngine", targets: ["MatchEngine"]),
        // The package of the fuzzers uses three modules: the checks, the adapters and their types.
        .library(name: "AdapterProbes", targets: ["AdapterProbes", "Providers", "ScoreTypes"]),
    ],
    dependencies: [
        .package(path: "Clients/Apple"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    ],
    targets: [
        // Level 0: C libraries by Debian package; the migrations and openapi.yaml, embedded in the binary.
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CNghttp2", pkgConfig: "libnghttp2", providers: [.apt(["libnghttp2-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "CSchema"),
        .target(name: "CDocuments"),

        // Level 1: types that several targets share.
        .target(name: "ScoreTypes", dependencies: ["CLinux"], swiftSettings: strict),

        // Level 2: cricket (MatchEngine), PostgreSQL (Postgres), HTTP/2 (HTTP2) and libcurl (CurlTransfer).
        .target(name: "MatchEngine", dependencies: [liveSurface, "ScoreTypes"], swiftSettings: strict),
        .target(
            name: "Postgres",
            dependencies: ["CPostgres", "CSchema", "ScoreTypes", logging, metrics],
            swiftSettings: strict
        ),
        .target(
            name: "HTTP2",
            dependencies: ["CNghttp2", "COpenSSL", "CLinux", "ScoreTypes", logging],
            swiftSettings: strict
        ),

        .target(name: "CurlTransfer", dependencies: ["CCurl", "ScoreTypes"], swiftSettings: strict),

        // Level 3: adapters of providers, the journal of matches, devices and their follows, pushes to APNs.
        .target(name: "Providers", dependencies: ["MatchEngine", "CZlib", "ScoreTypes"], swiftSettings: strict),
        .target(
            name: "MatchJournal",
            dependencies: ["MatchEngine", "Postgres", "ScoreTypes", liveSurface, logging, metrics],
            swiftSettings: strict
        ),
        .target(
            name: "FollowService",
            dependencies: ["Postgres", "ScoreTypes", logging, metrics],
            swiftSettings: strict
        ),
        .target(
            name: "PushDispatcher",
            dependencies: ["HTTP2", "CurlTransfer", "COpenSSL", "ScoreTypes", logging, metrics],
            swiftSettings: strict
        ),

        // What a phone draws, as SVG, from the decoded bytes of a push.
        .target(name: "SurfaceImages", dependencies: [liveSurface, "ScoreTypes"], swiftSettings: strict),

        // Level 4: polling and choice of feeds; the life cycle of activities and channels.
        .target(
            name: "ScoreIngest",
            dependencies: [
                "Providers", "MatchJournal", "CurlTransfer", "MatchEngine", "Postgres", "ScoreTypes", liveSurface,
                logging, metrics,
            ],
            swiftSettings: strict
        ),

        .target(
            name: "LiveActivities",
            dependencies: [
                "FollowService", "PushDispatcher", "MatchJournal", "MatchEngine", "Postgres", "ScoreTypes",
                liveSurface, logging, metrics,
            ],
            swiftSettings: strict
        ),

        // Level 5: simulators of APNs, feeds and phones, for ScoreLab and the tests.
        .target(
            name: "Simulators",
            dependencies: [
                "HTTP2", "Providers", "CurlTransfer", "MatchEngine", liveSurface, scoreClient, "COpenSSL", "CDocuments",
                "ScoreTypes",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict
        ),

        // Level 6: the two executables; ScoreServer does not depend on Simulators.
        .executableTarget(
            name: "ScoreServer",
            dependencies: [
                "ScoreTypes", liveSurface, "MatchEngine", "Postgres", "ScoreIngest", "Providers", "MatchJournal",
                "CurlTransfer", "FollowService", "PushDispatcher", "LiveActivities", "SurfaceImages", "CLinux",
                "COpenSSL", "CDocuments",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Mustache", package: "swift-mustache"),
                logging, metrics,
            ],
            swiftSettings: strict
        ),

        .executableTarget(
            name: "ScoreLab",
            dependencies: [
                "ScoreTypes", liveSurface, scoreClient, "MatchEngine", "Postgres", "HTTP2", "ScoreIngest", "Providers",
                "MatchJournal", "CurlTransfer", "FollowService", "PushDispatcher", "LiveActivities", "Simulators",
                "SurfaceImages", "CLinux", "CDocuments",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                logging,
            ],
            swiftSettings: strict
        ),

        // Clocks, servers, databases and recorded matches for several test targets.
        .target(
            name: "TestSupport",
            dependencies: ["Postgres", "ScoreTypes"],
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        // A journal on a database of its own, for several test targets.
        .target(
            name: "JournalSamples",
            dependencies: ["MatchJournal", "MatchEngine", "Postgres", "ScoreTypes", "MatchSamples", "TestSupport"],
            path: "Tests/JournalSamples",
            swiftSettings: strict
        ),
        .target(
            name: "MatchSamples",
            dependencies: ["Providers", "MatchEngine", "ScoreTypes"],
            path: "Tests/MatchSamples",
            swiftSettings: strict
        ),
        // The checks of a reply that the fuzzers and the tests share.
        .target(
            name: "AdapterProbes",
            dependencies: ["Providers", "MatchJournal", "MatchEngine", liveSurface, "ScoreTypes"],
            path: "Tests/AdapterProbes",
            swiftSettings: strict
        ),
        // A DNS resolver that a test can stop from answering.
        .target(name: "CSlowResolver", path: "Tests/CSlowResolver"),
        .testTarget(name: "RepositoryTests", swiftSettings: strict),
        .testTarget(name: "ScoreTypesTests", dependencies: ["ScoreTypes"], swiftSettings: strict),
        // The tests of the client package, so that one run has all tests.
        .testTarget(
            name: "LiveSurfaceTests",
            dependencies: [liveSurface],
            path: "Clients/Apple/Tests/LiveSurfaceTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "ScoreClientTests",
            dependencies: [scoreClient, scoreActivityKit, liveSurface],
            path: "Clients/Apple/Tests/ScoreClientTests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "MatchEngineTests",
            dependencies: ["MatchEngine", "Simulators", liveSurface, "ScoreTypes", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "SurfaceImagesTests",
            dependencies: [
                "SurfaceImages", "MatchEngine", "Providers", liveSurface, "MatchSamples", "ScoreTypes", "TestSupport",
            ],
            exclude: ["Recorded"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PostgresTests",
            dependencies: ["Postgres", "ScoreTypes", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "HTTP2Tests",
            dependencies: ["HTTP2", "CNghttp2", "COpenSSL", "ScoreTypes"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "CurlTransferTests",
            dependencies: ["CurlTransfer", "ScoreTypes", "TestSupport", "CSlowResolver"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "MatchJournalTests",
            dependencies: [
                "MatchJournal", "MatchEngine", liveSurface, "Postgres", "ScoreTypes", "ScoreLab", "JournalSamples",
                "MatchSamples", "TestSupport",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ScoreIngestTests",
            dependencies: [
                "ScoreIngest", "Providers", "MatchJournal", "CurlTransfer", "MatchEngine", liveSurface, "Postgres",
                "ScoreTypes", "Simulators", "ScoreLab", "JournalSamples", "MatchSamples", "TestSupport",
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "FollowServiceTests",
            dependencies: ["FollowService", "Postgres", "ScoreTypes", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PushDispatcherTests",
            dependencies: [
                "PushDispatcher", "Simulators", "ScoreLab", "LiveActivities", "MatchJournal", "MatchEngine",
                "Providers", liveSurface, scoreClient, "HTTP2", "COpenSSL", "ScoreTypes", "TestSupport",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "LiveActivitiesTests",
            dependencies: [
                "LiveActivities", "FollowService", "PushDispatcher", "MatchJournal", "MatchEngine", "Postgres",
                "Simulators", "MatchSamples", liveSurface, "ScoreTypes", "TestSupport",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "SimulatorsTests",
            dependencies: [
                "Simulators", "ScoreLab", "HTTP2", "PushDispatcher", "ScoreIngest", "Providers", "MatchJournal",
                "CurlTransfer", "MatchEngine", liveSurface, scoreClient, "COpenSSL", "AdapterProbes", "ScoreTypes",
                "TestSupport",
                .product(name: "Hummingbird", package: "hummingbird"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ScoreServerTests",
            dependencies: [
                "ScoreServer", "Simulators", "ScoreIngest", "Providers", "MatchJournal", "CurlTransfer",
                "FollowService", "PushDispatcher", "LiveActivities", "Postgres", "HTTP2", "MatchEngine", liveSurface,
                scoreClient, "MatchSamples", "ScoreTypes", "CLinux", "COpenSSL", "TestSupport",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                logging, metrics,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ScoreLabTests",
            dependencies: [
                "ScoreLab", "Simulators", "ScoreIngest", "Providers", "MatchJournal", "Postgres", "MatchEngine",
                "MatchSamples", "ScoreTypes", "TestSupport", scoreClient, liveSurface,
            ],
            swiftSettings: strict
        ),
    ],
    swiftLanguageModes: [.v6]
)
