// What the poller of a feed knows of the loop of a match: how to wake it, and when the list gives reason to.

internal import MatchEngine
internal import ScoreTypes

/// A match that is polled by a loop of its own.
struct FollowedMatch: Sendable {
    /// The match as the provider names it.
    let id: ProviderMatchID
    let signal = WakeSignal()
    /// What the list said of it last.
    private(set) var entry: Fixture
    /// What it was doing at the last reply.
    var phase: PlayPhase
    /// Whether nothing of it has changed for long though it should be in play.
    var isStill = false
    /// Why its loop is to end though the match goes on; nil while it is not.
    var end: End?
    /// Whether the list has said that it rests since it was in play.
    private var wasListedResting: Bool
    /// When the list was looked at last.
    private var listedAt: Instant

    /// Why a match is polled no more that is not over.
    enum End: Sendable {
        /// The provider's id means another match by now.
        case renamed
        /// There was no place for one that is more urgent.
        case displaced
    }

    /// Begins with what the list says.
    init(_ fixture: Fixture, at now: Instant) {
        id = fixture.id
        entry = fixture
        phase = fixture.status.map(PlayPhase.init(of:)) ?? .before
        wasListedResting = fixture.isResting
        listedAt = now
    }

    /// Notes what a reading of the list says of the match, which may be a reason to ask it at once.
    ///
    /// Between days a match is asked seldom, and the list is read every minute: what it calls live again is live, or is
    /// about to be. It is asked with each list until its own page says so; where a list says live day and night, that
    /// is no reason.
    ///
    /// - Parameters:
    ///   - fixture: The entry.
    ///   - now: Wall time.
    /// - Returns: Whether its start has come, or the list calls it live again, while it rests by its own page; or the
    ///   list has another word for it while it stands still.
    mutating func listed(_ fixture: Fixture, at now: Instant) -> Bool {
        let before = listedAt.seconds
        listedAt = now
        let isOther = fixture.status != entry.status
        entry = fixture
        if isStill && isOther { return true }
        guard phase == .overnight || phase == .before else {
            wasListedResting = false
            return false
        }
        if fixture.isResting { wasListedResting = true }
        let hasStarted = fixture.startsAt.map { before < $0 && $0 <= now.seconds } ?? false
        return hasStarted || wasListedResting && fixture.status.map(PlayPhase.init(of:)) == .live
    }
}

extension Fixture {
    /// Whether the list says that its play is of another day, or has not begun.
    fileprivate var isResting: Bool {
        guard let phase = status.map(PlayPhase.init(of:)) else { return false }
        return phase == .overnight || phase == .before
    }
}
