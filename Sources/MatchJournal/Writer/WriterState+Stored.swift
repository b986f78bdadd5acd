// A capture that begins in the middle of a match is understood only with the state that its writer had.

public import MatchEngine
public import ScoreTypes

extension WriterState {
    /// The times of a match's last events, as the journal has them.
    public struct Ages: Sendable {
        /// Real time since the last publication; nil before the first.
        public var published: Duration?
        /// Real time since the last entry that came from a feed; nil before the first.
        public var heard: Duration?

        /// Makes ages.
        ///
        /// - Parameters:
        ///   - published: Real time since the last publication; nil before the first.
        ///   - heard: Real time since the last entry that came from a feed; nil before the first.
        public init(published: Duration?, heard: Duration?) {
            self.published = published
            self.heard = heard
        }
    }

    /// The state of a writer that reads the journal again and has lost what was in memory only.
    ///
    /// - Parameters:
    ///   - known: The state before; nil for an empty journal.
    ///   - match: The match.
    ///   - home: The feed that reported the match first, if the state does not say.
    ///   - keepsGate: Whether it is the same writer, whose gate remembers what it saw.
    ///   - ages: The times of the last events.
    ///   - options: The wording of states and moments.
    ///   - clock: Scales and measures waits.
    /// - Returns: The state.
    public static func reopened(
        _ known: WriterState?,
        match: MatchID,
        home: FeedID,
        keepsGate: Bool,
        ages: Ages,
        options: EngineOptions,
        clock: ServiceClock
    ) -> WriterState {
        var state = WriterState(
            match: match,
            revision: known?.revision ?? Revision(epoch: MatchWriter.randomEpoch(), number: 0),
            gate: keepsGate ? known?.gate ?? Gate(clock) : Gate(clock),
            replica: known?.replica ?? MatchReplica(options: options),
            told: known?.told ?? [],
            publishedAgo: ages.published ?? .zero,
            heardAgo: ages.heard ?? .zero,
            silentSince: known?.silence.since,
            clock: clock,
            now: clock.monotonic
        )
        state.feed = known?.feed
        state.feedSays = known?.feedSays ?? [:]
        state.home = known?.home ?? home.text
        return state
    }

    /// The state as a capture holds it; the epoch and the wording of moments are not part of it.
    public struct Stored: Codable {
        private let revision: Int64
        private let gate: Gate
        private let record: MatchRecord
        private let told: [ToldMoment]
        private let life: MomentLife
        private let keepAlive: KeepAlive
        private let silence: FeedSilence
        private let home: String?
        private let feed: String?
        private let overrides: [MatchOverride]
        private let isRemoved: Bool
        private let feedSays: [String: FeedWord]

        /// Stores a state.
        ///
        /// - Parameter state: The state.
        public init(_ state: WriterState) {
            revision = state.revision.number
            gate = state.gate
            record = state.replica.record
            told = state.told
            life = state.life
            keepAlive = state.keepAlive
            silence = state.silence
            home = state.home
            feed = state.feed
            overrides = state.overrides
            isRemoved = state.isRemoved
            feedSays = state.feedSays
        }

        /// Real time of the last publication; nil before the first.
        public var publishedAt: Duration? { revision > 0 ? keepAlive.lastPublication : nil }

        /// The state again, under an epoch of its own.
        ///
        /// - Parameters:
        ///   - match: The match.
        ///   - options: The wording of states and moments.
        /// - Returns: The state.
        public func state(of match: MatchID, options: EngineOptions) -> WriterState {
            WriterState(
                match: match,
                revision: Revision(epoch: MatchWriter.randomEpoch(), number: revision),
                gate: gate,
                replica: MatchReplica(record, options: options),
                life: life,
                keepAlive: keepAlive,
                silence: silence,
                home: home,
                feed: feed,
                told: told,
                isRemoved: isRemoved,
                overrides: overrides,
                feedSays: feedSays
            )
        }
    }
}
