// swift-tools-version: 6.2
// Fuzzing is a package of its own, so that building the server never links a fuzzer.
import PackageDescription

let package = Package(
    name: "fuzzing",
    dependencies: [
        // Named, because the folder of a clone may be called anything.
        .package(name: "score-server", path: "..")
    ],
    targets: [
        .executableTarget(
            name: "FuzzAdapters",
            dependencies: [
                .product(name: "Providers", package: "score-server"),
                .product(name: "ScoreIngest", package: "score-server"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
