// A report about a node is one JSON document: every part is JSON or text, so that no archive is needed to read it.

import Glibc
import HTTPTypes
import Hummingbird
import ScoreTypes

/// `/admin/api/v1/config` and `/admin/api/v1/diagnostics/bundle`.
struct DiagnosticsRoutes: Sendable {
    let dependencies: InternalDependencies
    let clock: ServiceClock

    /// Adds the routes.
    func add(to router: InternalRouter) {
        router.read(.configuration) { _ in
            Answer.json(AdminRoutes.items(dependencies.facts.settings.map(\.json)))
        }
        router.read(.diagnostics) { _ in
            let name = "score-server-\(dependencies.facts.id)-\(clock.wall.seconds).json"
            return Answer.json(
                await bundle().bytes,
                headers: [.contentDisposition: "attachment; filename=\"\(name)\""]
            )
        }
    }

    /// Everything that a report needs; a part that cannot be read says why, since reports are made during faults.
    private func bundle() async -> JSONValue {
        let node = dependencies.facts
        return .record([
            "at": .text(clock.wall.rfc3339), "node": .text(node.id.text),
            "versions": .record([
                "server": .text(ScoreServerCommand.version), "kernel": .text(Self.kernel),
                "postgres": await part { .text(try await node.databaseVersion()) },
            ]),
            "settings": .array(node.settings.map(\.json)),
            "overview": await AdminRoutes(dependencies: dependencies).overview(),
            "nodes": await part { .array(try await dependencies.nodes.nodes().map(\.json)) },
            "sweeps": await part { .array(try await dependencies.sweeps.status().map(\.json)) },
            "flags": await part {
                let flags = try await dependencies.flags.all()
                return .array(FlagName.allCases.map { flags.json($0, at: clock.wall) })
            },
            "logLevels": await part { .array(try await dependencies.logLevels.current().map(\.json)) },
            "warnings": .array(
                node.logs.ring.lines.map { line in
                    (try? JSONValue(parsing: Array(line.utf8))) ?? .text(line)
                }
            ),
            "metrics": .array(
                PrometheusText.render(dependencies.metrics).split(separator: "\n").map { .text(String($0)) }
            ),
        ])
    }

    private func part(_ read: () async throws -> JSONValue) async -> JSONValue {
        do { return try await read() } catch {
            return .record(["error": .text(Redaction.scrub("\(error)", isCounted: false))])
        }
    }

    private static var kernel: String {
        var name = utsname()
        guard uname(&name) == 0 else { return "unknown" }
        func text(_ field: some Any) -> String {
            withUnsafeBytes(of: field) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
        }
        return [text(name.sysname), text(name.release), text(name.machine)].joined(separator: " ")
    }
}

/// The facts of a node about its own process.
struct NodeFacts: Sendable {
    var id = NodeID(unchecked: "node")
    var settings: [EffectiveSetting] = []
    var logs = NodeLogs()
    /// The release of PostgreSQL.
    var databaseVersion: @Sendable () async throws -> String = { "unknown" }
}
