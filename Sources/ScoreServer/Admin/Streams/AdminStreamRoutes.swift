// Operators see the open streams of a node, and end some of them on every node.

import Hummingbird
import ScoreTypes

/// `/admin/api/v1/streams…`.
struct AdminStreamRoutes: Sendable {
    /// An order to end streams.
    private struct Wish {
        let choice: StreamChoice
        let spread: Int64
        let everywhere: Bool
    }

    let control: any StreamControl
    let node: NodeID

    /// Adds the routes.
    func add(to router: InternalRouter) {
        router.read(.streams) { call in
            let after = try call.query.integer("after", 0...Int64.max) ?? 0
            let limit = Int(try call.query.integer("limit", 1...ServerLimits.streamsPerPage) ?? 50)
            let chosen = try await control.streams(StreamChoice(call.query))
            let page = chosen.filter { $0.id.number > UInt64(after) }.prefix(limit + 1)
            let next = page.count > limit ? page.dropLast().last.map { JSONValue.whole($0.id.number) } : nil
            return Answer.json(
                JSONValue.record([
                    "node": .text(node.text), "total": .whole(chosen.count),
                    "items": .array(page.prefix(limit).map(\.json)), "nextAfter": next,
                ]).bytes
            )
        }
        let count: AdminWrite.Count = { write in
            let wish = try Self.wish(write)
            return try await control.order(wish.choice, spread: nil, everywhere: wish.everywhere).total
        }
        router.write(.disconnectStreams, wouldAffect: count) { write in
            let wish = try Self.wish(write)
            return try await control.order(wish.choice, spread: wish.spread, everywhere: wish.everywhere).json
        }
    }

    private static func wish(_ write: AdminWrite) throws(ServiceProblem) -> Wish {
        try write.read { fields in
            let choice = fields.nested("filter") { StreamChoice(reading: &$0) } ?? StreamChoice()
            if choice.isEmpty { fields.complain("filter", code: "missing", "expected at least one condition") }
            let spread = fields.optional("reconnectAfterMs", .integer(ServerLimits.streamSpreads))
            let everywhere = fields.optional("everywhere", .flag) ?? true
            return Wish(choice: choice, spread: spread ?? ServerLimits.streamSpread, everywhere: everywhere)
        }
    }
}

extension StreamView {
    /// The stream for operators; an address by its network.
    var json: JSONValue {
        let network: String? = if case .address(let address) = party { address?.network } else { nil }
        return .record([
            "id": .whole(id.number), "device": device.map { .text($0.description) },
            "network": network.map { .text($0) }, "appBuild": build.map { .text(SafeText.clean($0)) },
            "matches": .array(stream.matches.map { .text($0.text) }), "mode": .text(stream.mode.rawValue),
            "ageSeconds": .integer(stream.age.components.seconds), "position": .text(stream.positions.text),
            "unsentBytes": .whole(stream.unsentBytes),
        ])
    }
}

extension StreamOrderAnswers {
    /// The streams of each node, and the nodes that did not answer.
    var json: JSONValue {
        let nodes = counts.sorted { $0.key < $1.key }.map { node, count in
            JSONValue.record(["node": .text(node.text), "streams": .integer(count)])
        }
        return .record([
            "done": .bool(missing.isEmpty), "streams": .integer(total), "nodes": .array(nodes),
            "unanswered": .array(missing.sorted().map { .text($0.text) }),
        ])
    }
}
