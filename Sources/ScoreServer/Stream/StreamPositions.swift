// An event id contains the position of the connection in each of its matches.

import ScoreTypes

/// The newest revision sent for each match of a stream.
struct StreamPositions: Sendable, Hashable {
    /// Whether the stream is of one match; its ids are `epoch.rev` then, else `match:epoch.rev,…`.
    let isSingle: Bool
    private var positions: [MatchID: Revision] = [:]

    init(isSingle: Bool) { self.isSingle = isSingle }

    /// Reads the id that a client had; positions that cannot be read are absent.
    init(reading text: String?, matches: [MatchID], isSingle: Bool) {
        self.isSingle = isSingle
        guard let text, text.utf8.count <= ServerLimits.eventIDBytes else { return }
        if isSingle {
            if let match = matches.first, let revision = Revision(text) { positions[match] = revision }
            return
        }
        for part in text.split(separator: ",").prefix(ServerLimits.matchesPerStream) {
            let pair = part.split(separator: ":", maxSplits: 1)
            guard pair.count == 2, let match = MatchID(String(pair[0])), let revision = Revision(pair[1]) else {
                continue
            }
            positions[match] = revision
        }
    }

    /// The position in a match.
    subscript(match: MatchID) -> Revision? {
        get { positions[match] }
        set { positions[match] = newValue }
    }

    /// Whether a client lacks events of a match that the server can still send.
    func isBehind(_ head: Revision, of match: MatchID) -> Bool {
        guard let position = positions[match] else { return false }
        return position.epoch == head.epoch && position.number < head.number
    }

    /// Whether a client has a revision of a match that this node does not show yet.
    func isAhead(of head: Revision, of match: MatchID) -> Bool {
        guard let position = positions[match] else { return false }
        return position.epoch == head.epoch && position.number > head.number
    }

    /// The text of an event id.
    var text: String {
        if isSingle { return positions.values.first?.description ?? "" }
        return positions.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: ",")
    }
}

/// How a connection resumes from the client's position.
enum StreamResume: String, Sendable, Hashable {
    /// The client has no position.
    case fresh
    /// The client has the newest state.
    case exact
    /// The client receives the newest state and misses those in between.
    case conflated
    /// The client's position is not of this epoch.
    case reset

    /// Compares a client's position with the newest; `claimed` is whether it sent one at all.
    static func judge(_ position: Revision?, claimed: Bool, head: Revision) -> StreamResume {
        guard claimed else { return .fresh }
        guard let position, position.epoch == head.epoch, position.number <= head.number else { return .reset }
        return position.number == head.number ? .exact : .conflated
    }
}
