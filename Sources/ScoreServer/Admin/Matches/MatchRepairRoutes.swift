// An operator repairs the state of phones without an override: the feed is read anew, or the state is sent again.

import ScoreTypes

/// `POST /admin/api/v1/matches/{id}/resync` and `/republish`.
struct MatchRepairRoutes: Sendable {
    let matches: MatchCache
    let control: any MatchControl

    /// Adds the routes.
    func add(to router: InternalRouter) {
        let isKnown: AdminWrite.Count = { try await matches.view(of: $0.id(MatchID.self)) == nil ? nil : 1 }
        router.write(.resyncMatch, wouldAffect: isKnown) { write in
            try await AdminRoutes.done(control.resync(write.id(MatchID.self)))
        }
        let activities: AdminWrite.Count = { try await control.activityCount(of: $0.id(MatchID.self)) }
        router.write(.republishMatch, wouldAffect: activities) { write in
            try await AdminRoutes.done(control.republish(write.id(MatchID.self)))
        }
    }
}
