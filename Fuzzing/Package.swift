// swift-tools-version: 6.2
// The fuzzers are a separate package, so that a build of the server does not link libFuzzer.
import PackageDescription

let package = Package(
    name: "fuzzing",
    dependencies: [
        // The name is explicit because the folder of a clone may have any name.
        .package(name: "score-server", path: "..")
    ],
    targets: [
        .executableTarget(
            name: "FuzzAdapters",
            dependencies: [.product(name: "AdapterProbes", package: "score-server")]
        )
    ],
    swiftLanguageModes: [.v6]
)
