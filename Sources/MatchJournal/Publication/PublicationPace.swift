// A match is published once a second at most; faster changes are merged.

internal import ScoreTypes

/// When a match may be published next.
struct PublicationPace: Sendable {
    /// Domain time between two publications of a match (PUBLICATION section 2).
    static let interval: Duration = .seconds(1)

    private let every: Duration
    private var last: Duration?

    init(_ clock: ServiceClock) { every = clock.real(Self.interval, .play) }

    /// Real time still to wait; zero at first.
    func wait(now: Duration) -> Duration {
        guard let last else { return .zero }
        return max(.zero, last + every - now)
    }

    /// Records a publication.
    mutating func spend(now: Duration) { last = now }
}
