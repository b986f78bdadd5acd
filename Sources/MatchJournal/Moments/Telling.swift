// What has become certain at one instant is told together, once.

public import MatchEngine

/// Moments that are certain now.
public struct Telling: Sendable, Hashable {
    /// To be told: alert, priority.
    public var news: [Moment] = []
    /// Too old to be told when they were first seen; their keys are spent all the same.
    public var history: [Moment] = []

    /// Whether nothing became certain.
    public var isEmpty: Bool { news.isEmpty && history.isEmpty }

    /// The one moment that makes a sound; the content tells the others.
    public var alert: Moment? { Moment.mostImportant(of: news.filter(\.isAlert)) }

    /// The most urgent of what is told.
    public var priority: Moment.Priority { news.map(\.priority).max() ?? .five }

    /// Ledger entries of all, told or not.
    public var told: [ToldMoment] {
        (history + news).map { ToldMoment(key: $0.key, subject: $0.subject) }
    }

    /// Journal entries; what is told stands last, at the revision of the publication.
    public var changes: [Change] {
        [history, news].filter { !$0.isEmpty }.map { .confirmed($0.map(\.key)) }
    }
}
