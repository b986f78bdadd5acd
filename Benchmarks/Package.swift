// swift-tools-version: 6.2
// The benchmarks are a separate package, so that a build of the server does not build their dependencies.
import PackageDescription

let package = Package(
    name: "benchmarks",
    dependencies: [
        // The name is explicit because the folder of a clone may have any name.
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
