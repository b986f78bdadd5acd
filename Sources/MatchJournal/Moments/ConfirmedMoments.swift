// Moments that are confirmed at one instant are announced together, with one alert.

internal import MatchEngine

/// The moments that are confirmed now.
struct ConfirmedMoments: Sendable, Hashable {
    /// Moments to announce.
    var news: [Moment] = []
    /// Moments that were too old when they were first seen; their keys are spent all the same.
    var history: [Moment] = []
    /// Observations about the feed of the reply.
    var observations: [MomentObservation] = []

    /// Whether nothing is confirmed.
    var isEmpty: Bool { news.isEmpty && history.isEmpty }

    /// The one moment with an alert; the content shows the others.
    var alert: Moment? { Moment.mostImportant(of: news.filter(\.isAlert)) }

    /// The highest priority of the announced moments.
    var priority: Moment.Priority { news.map(\.priority).max() ?? .five }

    /// All of them, as the journal stores them.
    var announced: [AnnouncedMoment] {
        (history + news).map { AnnouncedMoment(key: $0.key, subject: $0.subject) }
    }

    /// Journal entries; the announced moments are last, at the revision of the publication.
    var changes: [Change] {
        [history, news].filter { !$0.isEmpty }.map { .confirmed($0.map(\.key)) }
    }
}
