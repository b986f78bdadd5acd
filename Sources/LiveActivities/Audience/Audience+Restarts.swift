// A stuck activity is replaced by a new one, once: every start alerts its person.

internal import FollowService
internal import Logging
internal import MatchJournal
internal import PushDispatcher
internal import ScoreTypes

extension Audience {
    /// Starts the stuck activities of a match again where their devices can be started by push.
    ///
    /// The store marks each before it is sent, so that no node and no later round starts it a second time. The app ends
    /// the old activity: after a start it reconciles, and the answer names the old one.
    func restartStuck(_ match: MatchID) async {
        while let state = matches[match], !state.newest.isFinal, await dispatcher.hasRoom {
            let stuck = receipts.takeRestarts(of: match, limit: FollowLimits.renewalsPerPage)
            if stuck.isEmpty { return }
            do {
                let starts = try await stores.renewals.restart(stuck, of: match)
                receipts.noteRestarts(starts.map(\.target.device), of: match)
                await send(starts, of: match)
            } catch {
                receipts.returnRestarts(stuck, of: match)
                log.warning("stuck activities not restarted", metadata: ["match.id": "\(match)", "error": "\(error)"])
                return
            }
        }
    }
}
