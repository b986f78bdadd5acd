// swift-tools-version: 6.2
// The client package of score-server; it has no dependencies, so that an app adds no part of the server.
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "score-clients",
    platforms: [.iOS("16.1"), .macOS(.v13), .watchOS(.v9)],
    products: [
        .library(name: "LiveSurface", targets: ["LiveSurface"]),
        .library(name: "ScoreClient", targets: ["ScoreClient"]),
        .library(name: "ScoreActivityKit", targets: ["ScoreActivityKit"]),
    ],
    targets: [
        .target(name: "LiveSurface", swiftSettings: strict),
        .target(name: "ScoreClient", dependencies: ["LiveSurface"], swiftSettings: strict),
        .target(name: "ScoreActivityKit", dependencies: ["ScoreClient", "LiveSurface"], swiftSettings: strict),
        .testTarget(name: "LiveSurfaceTests", dependencies: ["LiveSurface"], swiftSettings: strict),
        .testTarget(
            name: "ScoreClientTests",
            dependencies: ["ScoreClient", "ScoreActivityKit", "LiveSurface"],
            swiftSettings: strict
        ),
    ],
    swiftLanguageModes: [.v6]
)
