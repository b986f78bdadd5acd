// What an operator says hides what the feed says meanwhile, and that has to come back, whoever is alive by then.

internal import MatchEngine
internal import ScoreTypes

/// What a feed says of a field while an operator says something else.
enum FeedWord: Sendable, Hashable, Codable {
    case status(StatusReport)
    case targets([InningsTarget])
    case result(ProviderResult?)
    /// Seconds since 1970.
    case startsAt(Int64?)

    /// The target of one innings; nil when it has none.
    struct InningsTarget: Sendable, Hashable, Codable {
        let innings: Int
        let target: Target?
    }

    /// What a frame says of the field of an override.
    init(of value: OverrideValue, in frame: SnapshotFrame) {
        self =
            switch value {
            case .status: .status(frame.status)
            // Of all innings: the next word in its place may be about another one.
            case .target: .targets(frame.innings.map { InningsTarget(innings: $0.ordinal, target: $0.target) })
            case .result: .result(frame.result)
            case .startsAt: .startsAt(frame.info.startsAt)
            }
    }
}

/// An override as it is stored.
struct StoredWord: Sendable, Hashable {
    let said: MatchOverride
    /// nil until the match's writer has looked: then the match as it stands is what the feed says.
    let feedSays: FeedWord?
    /// Whether its time is not over, by Postgres' clock.
    let isStanding: Bool
}

extension SnapshotFrame {
    /// Puts what the feed says in the place of what operators said.
    mutating func take(_ word: FeedWord) {
        switch word {
        case .status(let report): status = report
        case .targets(let targets):
            for said in targets {
                guard let index = innings.firstIndex(where: { $0.ordinal == said.innings }) else { continue }
                innings[index].target = said.target
            }
        case .result(let said): result = said
        case .startsAt(let seconds): info.startsAt = seconds
        }
    }
}
