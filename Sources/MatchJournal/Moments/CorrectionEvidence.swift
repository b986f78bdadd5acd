// All matches of a feed have the same scorers, so what one match shows shortens or lengthens the waits of the next.

internal import Metrics
public import ScoreTypes
internal import Synchronization

/// The known mistakes of all feeds, shared by the writers of a node.
///
/// A match takes the waits of its feed when its writer loads it; `EvidenceService` stores what is new.
public final class CorrectionEvidence: Sendable {
    /// Counts of one feed by class.
    public typealias Curves = [MomentClass: CorrectionCurve]

    /// Counts and alerts that are not stored yet.
    struct News: Sendable {
        var curves: [FeedID: Curves] = [:]
        var revoked: [RevokedAlert] = []

        var isEmpty: Bool { curves.isEmpty && revoked.isEmpty }
    }

    private struct State {
        /// By the store, and what is not stored yet.
        var curves: [FeedID: Curves] = [:]
        var news = News()
    }

    /// The share of alerts that may be false.
    public let target: Double
    private let state = Mutex(State())
    private let metrics = ConfirmationMetrics()

    /// Begins without knowledge.
    ///
    /// - Parameter target: The share of alerts that may be false, above 0 and at most 0.1.
    public init(target: Double = JournalLimits.falseAlerts) { self.target = target }

    /// The counts of each feed.
    public var curves: [FeedID: Curves] { state.withLock { $0.curves } }

    /// How long the moments of a feed's match wait.
    public func waits(of feed: FeedID, _ clock: ServiceClock) -> ConfirmationWaits {
        let curves = state.withLock { $0.curves[feed] } ?? [:]
        return ConfirmationWaits(clock, seconds: seconds(curves))
    }

    /// The waits in seconds that follow from counts, of every class.
    public func seconds(_ curves: Curves) -> [MomentClass: Int] {
        Dictionary(
            uniqueKeysWithValues: MomentClass.allCases.map {
                ($0, (curves[$0] ?? CorrectionCurve()).wait(target: target))
            }
        )
    }

    /// Adds what a match has shown about its feed.
    public func take(_ observations: [MomentObservation], of match: MatchID, from feed: FeedID) {
        metrics.count(observations)
        state.withLock { state in
            for observation in observations {
                switch observation {
                case .reported(let kind):
                    state.curves[feed, default: [:]][kind, default: CorrectionCurve()].addReported()
                    state.news.curves[feed, default: [:]][kind, default: CorrectionCurve()].addReported()
                case .wrong(let kind, let age):
                    state.curves[feed, default: [:]][kind, default: CorrectionCurve()].addWrong(lastReportedAt: age)
                    state.news.curves[feed, default: [:]][kind, default: CorrectionCurve()]
                        .addWrong(lastReportedAt: age)
                case .confirmed: break
                case .revoked(let moment):
                    guard state.news.revoked.count < JournalLimits.revokedWaiting else { continue }
                    state.news.revoked.append(RevokedAlert(match: match, feed: feed, moment: moment))
                }
            }
        }
    }

    /// Hands out what is not stored yet, for one attempt to store it.
    func takeNews() -> News { state.withLock { state in exchange(&state.news, News()) } }

    /// Takes back what could not be stored.
    func returnNews(_ news: News) {
        state.withLock { state in
            for (feed, curves) in news.curves {
                state.news.curves[feed, default: [:]].merge(curves) { $0.adding($1) }
            }
            state.news.revoked = Array((news.revoked + state.news.revoked).prefix(JournalLimits.revokedWaiting))
        }
    }

    /// Takes the counts of all nodes, to which those that are not stored yet are added.
    func load(_ stored: [FeedID: Curves]) {
        state.withLock { state in
            state.curves = stored.merging(state.news.curves) { $0.merging($1) { $0.adding($1) } }
        }
        for (feed, curves) in stored { metrics.show(curves, target: target, of: feed) }
    }
}

/// An alert whose moment was withdrawn.
public struct RevokedAlert: Sendable, Hashable {
    /// Its match.
    public let match: MatchID
    /// The feed that had reported the moment.
    public let feed: FeedID
    /// The moment, with what confirmed it.
    public let moment: RevokedMoment
}

extension CorrectionCurve {
    fileprivate func adding(_ other: CorrectionCurve) -> CorrectionCurve {
        var sum = self
        sum.add(other)
        return sum
    }
}

/// Replaces a value; returns the one before.
private func exchange<Value>(_ value: inout Value, _ new: Value) -> Value {
    let old = value
    value = new
    return old
}
