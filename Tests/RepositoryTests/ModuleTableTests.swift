// The table of targets and their imports; the compiler accepts imports of transitive dependencies, these tests do not.

import Foundation
import Testing

@Suite struct ModuleTableTests {
    /// Our own targets and C modules that each target may import; all but the client's may import ScoreTypes too.
    static let plan: [String: Set<String>] = [
        "LiveSurface": [],
        "ScoreClient": ["LiveSurface"],
        "ScoreActivityKit": ["ScoreClient", "LiveSurface"],
        "ScoreTypes": ["CLinux"],
        "MatchEngine": ["LiveSurface"],
        "Postgres": ["CPostgres", "CSchema"],
        "HTTP2": ["CNghttp2", "COpenSSL", "CLinux"],
        "CurlTransfer": ["CCurl"],
        "Providers": ["MatchEngine", "CZlib"],
        "MatchJournal": ["MatchEngine", "Postgres", "LiveSurface"],
        "SurfaceImages": ["LiveSurface"],
        "ScoreIngest": ["Providers", "MatchJournal", "CurlTransfer", "MatchEngine", "Postgres", "LiveSurface"],
        "FollowService": ["Postgres"],
        "PushDispatcher": ["HTTP2", "CurlTransfer", "COpenSSL"],
        "LiveActivities": [
            "FollowService", "PushDispatcher", "MatchJournal", "MatchEngine", "Postgres", "LiveSurface",
        ],
        "Simulators": [
            "HTTP2", "Providers", "CurlTransfer", "MatchEngine", "LiveSurface", "ScoreClient", "COpenSSL", "CDocuments",
        ],
        "ScoreServer": [
            "LiveSurface", "MatchEngine", "Postgres", "ScoreIngest", "Providers", "MatchJournal", "CurlTransfer",
            "FollowService", "PushDispatcher", "LiveActivities", "SurfaceImages", "CLinux", "COpenSSL", "CDocuments",
        ],
        "ScoreLab": [
            "LiveSurface", "ScoreClient", "MatchEngine", "Postgres", "HTTP2", "ScoreIngest", "Providers",
            "MatchJournal", "CurlTransfer", "FollowService", "PushDispatcher", "LiveActivities", "Simulators",
            "SurfaceImages", "CLinux", "CDocuments",
        ],
    ]

    static let cModules: Set<String> = [
        "CLinux", "CNghttp2", "CCurl", "COpenSSL", "CPostgres", "CZlib", "CSchema", "CDocuments",
    ]

    /// The targets of the client package.
    static let client: Set<String> = ["LiveSurface", "ScoreClient", "ScoreActivityKit"]

    static func allowed(_ target: String) -> Set<String> {
        (plan[target] ?? []).union(client.contains(target) ? [] : ["ScoreTypes"])
    }

    @Test func everyTargetIsInTheTable() {
        let folders = Set(Repository.sources.map(\.target))
        #expect(folders == Set(Self.plan.keys))
    }

    @Test func importsAreInTheTable() throws {
        for file in Repository.sources {
            let pattern =
                #/^\s*(?:(?:public|package|internal|private|fileprivate|@testable|@preconcurrency|@_exported)\s+)*import\s+(?:(?:struct|class|enum|protocol|func|var|typealias)\s+)?(\w+)/#
            let ours = Set(Self.plan.keys).union(Self.cModules)
            for (_, line) in file.lines(with: "import ") {
                guard let match = line.firstMatch(of: pattern) else { continue }
                let module = String(match.1)
                guard ours.contains(module), module != file.target else { continue }
                #expect(Self.allowed(file.target).contains(module), "\(file.path) imports \(module) against the table")
            }
        }
    }

    @Test(arguments: ["LiveSurface", "MatchEngine"]) func theEngineImportsNoFoundation(target: String) {
        for file in Repository.sources where file.target == target {
            #expect(file.lines(with: "import Foundation", "import Glibc").isEmpty, "\(file.path)")
        }
    }

    /// An app that adds the client package gets no other package with it.
    @Test func theClientPackageHasNoDependencies() throws {
        let manifest = try Repository.text(of: "Clients/Apple/Package.swift")
        #expect(!manifest.contains(".package("))
        #expect(!manifest.contains(".product("))
    }

    @Test func theManifestDeclaresNoMoreThanTheTable() throws {
        let declared = try Self.declaredDependencies()
        for (name, dependencies) in declared {
            let excess = dependencies.subtracting(Self.allowed(name))
            #expect(excess.isEmpty, "\(name) declares \(excess)")
        }
        #expect(Set(declared.keys).isSuperset(of: Set(Self.plan.keys).subtracting(Self.client)))
    }

    @Test func theServerLinksNoSimulator() throws {
        let declared = try Self.declaredDependencies()
        var reached: Set<String> = []
        var next = ["ScoreServer"]
        while let target = next.popLast() {
            if reached.insert(target).inserted { next += declared[target] ?? [] }
        }
        #expect(reached.isSuperset(of: ["ScoreServer", "MatchEngine"]))
        let tools: Set = ["Simulators", "ScoreLab", "ScoreClient"]
        #expect(reached.isDisjoint(with: tools), "ScoreServer links \(reached.sorted())")
    }

    /// Targets of ours and C modules that each target of the table declares in the manifest.
    private static func declaredDependencies() throws -> [String: Set<String>] {
        let ours = Set(plan.keys).union(cModules)
        var declared: [String: Set<String>] = [:]
        for block in try Repository.text(of: "Package.swift").components(separatedBy: "arget(") {
            guard let name = block.firstMatch(of: #/^\s*name: "(\w+)"/#).map({ String($0.1) }), plan[name] != nil,
                let list = block.firstMatch(of: #/dependencies: \[([^\]]*)\]/#)
            else { continue }
            let names = Set(list.1.matches(of: #/"(\w+)"/#).map { String($0.1) }).intersection(ours)
            let products = [("liveSurface", "LiveSurface"), ("scoreClient", "ScoreClient")]
            declared[name] = names.union(products.filter { list.1.contains($0.0) }.map(\.1))
        }
        return declared
    }
}
