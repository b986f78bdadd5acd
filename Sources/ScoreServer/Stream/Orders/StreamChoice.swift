// Operators choose open streams by what they know of them: match, device, build of the app, age.

import ScoreTypes

/// An open stream as its thread has it.
struct StreamDescription: Sendable, Hashable {
    let id: StreamID
    let matches: [MatchID]
    let mode: StreamMode
    /// Time since it opened.
    let age: Duration
    /// The newest revision sent for each match.
    let positions: StreamPositions
    /// Bytes that the kernel did not take.
    let unsentBytes: Int
}

/// An open stream as operators see it.
struct StreamView: Sendable, Hashable {
    let stream: StreamDescription
    let party: ClientParty
    /// The build of the app that its device reported; nil for a client without a device.
    var build: String?

    init(_ stream: StreamDescription, of party: ClientParty) { (self.stream, self.party) = (stream, party) }

    var id: StreamID { stream.id }

    /// Its device; nil for a client without a credential.
    var device: DeviceID? { if case .device(let device) = party { device } else { nil } }
}

/// A choice of streams: all conditions hold.
struct StreamChoice: Sendable, Hashable {
    /// The names in queries and bodies.
    static let names = ["match", "device", "appBuild", "olderThanSeconds"]

    var match: MatchID?
    var device: DeviceID?
    var build: String?
    /// Age in seconds from which on streams are chosen.
    var olderThan: Int64?

    /// Whether it chooses every stream.
    var isEmpty: Bool { self == StreamChoice() }

    /// Whether it chooses a stream.
    func includes(_ stream: StreamView) -> Bool {
        match.map { stream.stream.matches.contains($0) } ?? true && device.map { stream.device == $0 } ?? true
            && build.map { stream.build == $0 } ?? true && olderThan.map { stream.stream.age >= .seconds($0) } ?? true
    }
}

extension StreamChoice {
    /// Reads the conditions of a query.
    init(_ query: QueryFields) throws(ServiceProblem) {
        match = try query["match"].map { text throws(ServiceProblem) in
            guard let match = MatchID(text) else { throw .invalid("match", "expected the id of a match") }
            return match
        }
        device = try query["device"].map { text throws(ServiceProblem) in
            guard let device = DeviceID(text) else { throw .invalid("device", "expected a UUID") }
            return device
        }
        build = query["appBuild"].map { String($0.prefix(ServerLimits.buildLength)) }
        if query["olderThanSeconds"] != nil {
            olderThan = try query.integer("olderThanSeconds", ServerLimits.streamAges)
        }
    }

    /// Reads the conditions of a body.
    init(reading fields: inout FieldReader) {
        if fields.has("match") { match = fields.identity("match", as: MatchID.self) }
        device = fields.optional("device", FieldForm(expectation: "a UUID") { $0.string.flatMap { DeviceID($0) } })
        build = fields.optional("appBuild", .text(1...ServerLimits.buildLength))
        olderThan = fields.optional("olderThanSeconds", .integer(ServerLimits.streamAges))
    }

    /// The conditions, as a body has them.
    var json: JSONValue {
        .record([
            "match": match.map { .text($0.text) }, "device": device.map { .text($0.description) },
            "appBuild": build.map { .text($0) }, "olderThanSeconds": olderThan.map { .integer($0) },
        ])
    }
}
