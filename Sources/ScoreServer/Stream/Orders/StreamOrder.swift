// Nodes pass an order about streams on by a notification of PostgreSQL, and answer it in the same way.

import ScoreTypes

/// An order about the streams of all nodes.
struct StreamOrder: Sendable, Hashable {
    /// A random text, which the answers repeat.
    let id: String
    let choice: StreamChoice
    /// The streams end, and their clients reconnect at random times within so many milliseconds; nil: only counted.
    let spread: Int64?

    init(id: String, choice: StreamChoice, spread: Int64?) {
        (self.id, self.choice, self.spread) = (id, choice, spread)
    }

    /// Reads the payload of a notification; nil for one of another version.
    init?(_ payload: String) {
        guard let json = try? JSONElement(parsing: Array(payload.utf8), .strict), let id = json["id"]?.string,
            let choice = json["choice"]
        else { return nil }
        var fields = FieldReader(choice)
        (self.id, self.choice) = (id, StreamChoice(reading: &fields))
        spread = json["spreadMs"]?.integer
        // A node of an older version must not end streams that a condition it does not know leaves out.
        guard fields.allErrors.isEmpty, !self.choice.isEmpty else { return nil }
    }

    /// The payload of its notification.
    var payload: String {
        let json = JSONValue.record([
            "id": .text(id), "choice": choice.json, "spreadMs": spread.map { .integer($0) },
        ])
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

/// How many streams of a node an order is about.
struct StreamOrderAnswer: Sendable, Hashable {
    let id: String
    let node: NodeID
    let count: Int64

    init(id: String, node: NodeID, count: Int64) { (self.id, self.node, self.count) = (id, node, count) }

    /// Reads the payload of a notification; nil for one of another version.
    init?(_ payload: String) {
        guard let json = try? JSONElement(parsing: Array(payload.utf8), .strict), let id = json["id"]?.string,
            let node = json["node"]?.string.flatMap({ NodeID($0) }), let count = json["count"]?.integer
        else { return nil }
        self.init(id: id, node: node, count: count)
    }

    /// The payload of its notification.
    var payload: String {
        let json = JSONValue.record(["id": .text(id), "node": .text(node.text), "count": .integer(count)])
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

/// The nodes that have answered an order, as a value.
struct StreamOrderAnswers: Sendable, Hashable {
    /// The living nodes without an answer.
    private(set) var missing: Set<NodeID>
    /// Streams of each node that answered.
    private(set) var counts: [NodeID: Int64] = [:]

    init(expecting nodes: [NodeID]) { missing = Set(nodes) }

    /// Takes an answer; true once all have come.
    mutating func take(_ answer: StreamOrderAnswer) -> Bool {
        counts[answer.node] = answer.count
        missing.remove(answer.node)
        return missing.isEmpty
    }

    /// Streams of all nodes that answered.
    var total: Int64 { counts.values.reduce(0) { $0 &+ $1 } }
}
