// Where a connection stands in each of its matches; one event id carries all of it.

import ScoreTypes

/// The newest revision sent for each match of a stream.
struct StreamPositions: Sendable, Hashable {
    /// Most matches of one stream.
    static let matchesMax = 10
    /// Longest id accepted from a client, in bytes: ten matches with the longest names.
    static let bytesMax = 1024

    /// Whether the stream is of one match; its ids are `epoch.rev` then, else `match:epoch.rev,…`.
    let isSingle: Bool
    private var positions: [MatchID: Revision] = [:]

    init(isSingle: Bool) { self.isSingle = isSingle }

    /// Reads the id that a client had; positions that cannot be read are absent.
    init(reading text: String?, matches: [MatchID], isSingle: Bool) {
        self.isSingle = isSingle
        guard let text, text.utf8.count <= Self.bytesMax else { return }
        if isSingle {
            if let match = matches.first, let revision = Revision(text) { positions[match] = revision }
            return
        }
        for part in text.split(separator: ",").prefix(Self.matchesMax) {
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

    /// The text of an event id.
    var text: String {
        if isSingle { return positions.values.first?.description ?? "" }
        return positions.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: ",")
    }
}

/// How a connection goes on from what the client had.
enum StreamResume: String, Sendable, Hashable {
    /// It had nothing.
    case fresh
    /// It has the newest.
    case exact
    /// It gets the newest and misses what lay between.
    case conflated
    /// Its position means nothing here.
    case reset

    /// Judges a client's position; `sent` says whether it claimed one at all.
    static func judge(_ position: Revision?, claimed: Bool, head: Revision) -> StreamResume {
        guard claimed else { return .fresh }
        guard let position, position.epoch == head.epoch, position.number <= head.number else { return .reset }
        return position.number == head.number ? .exact : .conflated
    }
}
