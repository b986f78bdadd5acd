// swift-tools-version: 6.2
// Benchmarks live in a package of their own, so that building the server never pays for them.
import PackageDescription

let package = Package(
    name: "benchmarks",
    dependencies: [
        // Named, because the folder of a clone may be called anything.
        .package(name: "score-server", path: ".."),
        .package(path: "../Clients/Apple"),
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "Engine",
            dependencies: [
                .product(name: "Benchmark", package: "benchmark"),
                .product(name: "MatchEngine", package: "score-server"),
                .product(name: "LiveSurface", package: "Apple"),
            ],
            path: "Benchmarks/Engine",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        )
    ],
    swiftLanguageModes: [.v6]
)
