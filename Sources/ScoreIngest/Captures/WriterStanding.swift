// What comes in the middle of a match is understood only by what was known of it: that goes into captures before it.

internal import MatchEngine
internal import ScoreTypes

/// What a writer knew and doubted just before it was told something.
struct WriterStanding: Sendable {
    let state: WriterState
    let gate: Gate
}

/// The same as a capture holds it.
struct StoredStanding: Codable {
    private let revision: Int64
    private let record: MatchRecord
    private let told: [ToldMoment]
    private let life: MomentLife
    private let keepAlive: KeepAlive
    private let silence: FeedSilence
    private let home: String?
    private let feed: String?
    private let overrides: [StoredOverride]
    private let isRemoved: Bool
    private let feedSays: [String: FeedWord]
    let gate: Gate

    init(_ standing: WriterStanding) {
        let state = standing.state
        revision = state.revision.number
        record = state.replica.record
        told = state.told
        life = state.life
        keepAlive = state.keepAlive
        silence = state.silence
        home = state.home
        feed = state.feed
        overrides = state.overrides.map(StoredOverride.init)
        isRemoved = state.isRemoved
        feedSays = state.feedSays
        gate = standing.gate
    }

    /// The writer's state again; its epoch is of no account in a replay.
    func state(of match: MatchID, options: EngineOptions) -> WriterState {
        WriterState(
            match: match,
            revision: Revision(epoch: MatchWriter.randomEpoch(), number: revision),
            replica: MatchReplica(record, options: options),
            life: life,
            keepAlive: keepAlive,
            silence: silence,
            home: home,
            feed: feed,
            told: told,
            isRemoved: isRemoved,
            overrides: overrides.map(\.override),
            feedSays: feedSays
        )
    }

    /// When the match was published last; nil when it never was.
    var publishedAt: Duration? { revision > 0 ? keepAlive.lastPublication : nil }
}
