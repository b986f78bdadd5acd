// A ball of this match goes the whole way: feed, adapter, gate, journal, renderer, dispatcher, phone.

import Foundation
import LiveActivities
import LiveSurface
import MatchEngine
import MatchJournal
import Providers
import ScoreTypes
import Simulators

@testable import PushDispatcher
@testable import ScoreLab

/// A match that a faulty feed reports, up to its publications.
///
/// Data flows in one direction, so that the way to the journal can be played before the way to the phones.
struct FeedMatch {
    let match: MatchID
    let provider: Provider
    /// The publications of a node that runs for the whole match.
    private(set) var plan: [PlannedPublication] = []
    /// The judgement on adapter, gate and journal.
    private var verdict: FeedVerdict
    /// The scores of both sides after the match.
    private let scores: [String]
    private var journal = SimulatedJournal()
    private let clock: ServiceClock

    /// Plays a match whose feed opens at a time of the day.
    init(_ match: MatchID, opensAt: Duration, in world: SimulatedWorld) throws {
        self.match = match
        clock = world.clock
        let providers = Provider.allCases
        provider = providers[world.number(0...(providers.count - 1))]
        let document = try ShortMatch(using: &world.chance).document
        let proof = FeedProof(
            provider: provider,
            id: ProviderMatchID(unchecked: "804517"),
            seed: world.chance.next(),
            pace: .live
        )
        var feed = try FeedFollowing(proof, document)
        let opened = feed.clock.feed.wall
        feed.follow()
        verdict = FeedVerdict(proof: proof)
        verdict.take(feed)
        let truth = try CricsheetAdapter().snapshot(of: document).reportable(by: provider)
        scores = ContentStateRenderer.render(truth.folded, info: truth.info, revision: 0).expanded.teams.map(\.score)
        func local(_ time: Instant) -> Instant { world.wall(at: opensAt) + (time - opened) }
        for written in feed.rehearsal.appends {
            try journal.write(written.append, at: local(written.at), seenAt: local(written.append.seenAt))
        }
        publish(in: world)
    }

    /// Plays the node that runs for the whole match.
    private mutating func publish(in world: SimulatedWorld) {
        var publisher = SimulatedPublisher(match, clock: clock)
        var (seen, last): (Int64, Instant?) = (0, nil)
        while let now = journal.due(after: seen, last: last) {
            if let publication = publisher.publish(journal, at: now) {
                plan.append(PlannedPublication(at: now - world.wall(at: .zero), publication: publication.push))
            }
            seen = max(publisher.published, journal.rows.last { $0.at <= now }?.revision ?? seen)
            last = now
        }
    }

    /// The publication of a node that starts at a time; nil before the first row.
    func head(at now: Instant) -> PushPublication? {
        var publisher = SimulatedPublisher(match, clock: clock)
        return publisher.publish(journal, at: now)?.push
    }

    /// The faults of the publications; empty for none.
    ///
    /// The first final state ends the activities, so that it has to be as right as the last one.
    var complaints: [String] {
        let finals = plan.map(\.publication).filter(\.isFinal)
        let shown = finals.map { publication in
            let bytes = Data(publication.contentState)
            let content = try? JSONDecoder().decode(LiveActivityAttributes.ContentState.self, from: bytes)
            return content?.expanded.teams.map(\.score) ?? []
        }
        let wrong = shown.filter { $0 != scores }.map { "ends with \($0) instead of \(scores)" }
        let isOver = plan.last?.publication.isFinal == true
        let open = isOver ? [] : ["has no final state"]
        return (verdict.failures + wrong + open).map { "\(match) of \(provider) \($0)" }
    }
}
