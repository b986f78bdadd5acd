// Cricsheet's format has no times of balls; a test of a wrong clock needs them.

import MatchEngine
import ScoreTypes

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

/// Cricsheet's adapter, with the time of each ball just now by a wrong clock.
struct SkewedAdapter: Adapter {
    private let plain = CricsheetAdapter()
    /// The clock's error in seconds; negative for a slow clock.
    let seconds: Int64

    init(seconds: Int64) { self.seconds = seconds }

    var provider: Provider { plain.provider }

    func listRequests(_ session: ProviderSession, at now: Instant, replies: ProviderReplies) -> [ProviderRequest] {
        plain.listRequests(session, at: now, replies: replies)
    }

    func fixtures(_ replies: ProviderReplies, _ session: ProviderSession) throws(AdapterError) -> FixtureListing {
        try plain.fixtures(replies, session)
    }

    func matchRequests(
        _ id: ProviderMatchID,
        _ session: ProviderSession,
        replies: ProviderReplies
    ) -> [ProviderRequest] {
        plain.matchRequests(id, session, replies: replies)
    }

    func snapshot(_ replies: ProviderReplies, _ session: ProviderSession) throws(AdapterError) -> MatchSnapshot {
        var snapshot = try plain.snapshot(replies, session)
        let time = ServiceClock().wall.seconds + seconds
        for index in snapshot.deliveries.indices { snapshot.deliveries[index].occurredAt = time }
        return snapshot
    }
}
