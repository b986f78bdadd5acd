// Late, wrong, rewritten, spoilt: what comes through any provider has to end at the scorecard of the file itself.

import MatchEngine
import MatchJournal
import Providers
import ScoreTypes
import Simulators

/// A recorded match followed from its first reply to its last through a feed that misbehaves, with no wire and no
/// database: shape, adapter, differ, gate and engine are the real ones.
struct FeedProof: Sendable {
    let provider: Provider
    let id: ProviderMatchID
    /// The seed of polling intervals and faults, together with provider and match.
    let seed: UInt64
    var faults = healing
    /// How often the match is polled.
    var pace = ProofPace.strides
    /// Seconds that moments wait, by class; a class that is missing waits as for an unknown feed.
    var waits: [MomentClass: Int] = [:]

    /// Everything that a feed may do wrong and puts right in the end.
    static let healing = Set(FeedFault.allCases.filter(\.heals))
    /// The key of every shape.
    static let key = "key"

    /// Plays the finished match.
    func run(_ document: CricsheetDocument) -> FeedVerdict {
        var verdict = FeedVerdict(proof: self)
        do {
            var run = try FeedFollowing(self, document)
            run.follow()
            verdict.take(run)
            let direct = try CricsheetAdapter().snapshot(of: document).reportable(by: provider)
            guard var snapshot = run.snapshot else {
                verdict.failures.append("no reply was read")
                return verdict
            }
            // The feed plays the match over again on a day of its own, and some rules go by the year.
            (snapshot.info.days, snapshot.info.season) = (direct.info.days, direct.info.season)
            let isPlain = provider == .cricketData
            let lines =
                isPlain
                ? ScoreSheet(totalsOf: snapshot).differences(from: ScoreSheet(totalsOf: direct))
                : ScoreSheet(snapshot).differences(from: ScoreSheet(direct))
            verdict.failures += lines
            if !lines.isEmpty, let error = run.lastError { verdict.failures.insert("last refused: \(error)", at: 0) }
        } catch {
            verdict.failures.append("\(error)")
        }
        return verdict
    }

    /// The seed of this match's draws, which depends on provider, match and seed alone.
    var plan: FaultPlan {
        let own = FNV1a.hash((provider.rawValue + "/" + id.text).utf8)
        // A clock is right or wrong for a whole match; one in three is right, so that both cases are tested.
        var draw = SeededDraw(seed: seed ^ own, purpose: 6, number: 0)
        let isRight = faults.count > 1 && draw.oneIn(3)
        return FaultPlan(seed: seed ^ own, faults: isRight ? faults.subtracting([.skewedClock]) : faults)
    }
}
