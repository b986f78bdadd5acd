// A match is published once a second at most; faster changes are merged.

internal import ScoreTypes

/// When a match may be published next.
struct PublicationPace: Sendable {
    private let every: Duration
    private var last: Duration?

    init(_ clock: ServiceClock) { every = clock.real(JournalLimits.publicationInterval, .play) }

    /// Real time still to wait; zero at first.
    func wait(now: Duration) -> Duration {
        guard let last else { return .zero }
        return max(.zero, last + every - now)
    }

    /// Records a publication.
    mutating func spend(now: Duration) { last = now }
}
