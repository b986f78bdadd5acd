// A follow in an answer names its channel and its team, which the follow's own record does not have.

import FollowService
import MatchEngine
import ScoreTypes

/// The facts that the answers about some follows of a device need.
struct FollowContext: Sendable {
    /// The channels on which the app may start the activities by itself.
    var channels: [MatchID: ChannelID] = [:]
    /// The matches in which the person supports a team; a match that its provider removed is absent.
    var infos: [MatchID: MatchInfo] = [:]
}

extension PublicDependencies {
    /// Reads the facts of some follows of a device.
    func context(of follows: [Follow], of device: DeviceID) async throws -> FollowContext {
        FollowContext(
            channels: try await followChannels.channels(for: follows, of: device),
            infos: try await views(of: follows.filter { $0.settings.teamIntent != .neither }.map(\.match))
                .mapValues(\.info)
        )
    }

    /// Whether a match exists, in the cache or else in the journal; one that its provider removed does.
    func isKnown(_ match: MatchID) async throws -> Bool {
        do {
            return try await matches.view(of: match) != nil
        } catch let problem as ServiceProblem where problem.kind == .matchRemoved {
            return true
        }
    }

    /// Matches from the cache or else from the journal; unknown and removed ones are absent.
    func views(of ids: [MatchID]) async throws -> [MatchID: MatchView] {
        var views: [MatchID: MatchView] = [:]
        for match in ids {
            do {
                views[match] = try await matches.view(of: match)
            } catch let problem as ServiceProblem where problem.kind == .matchRemoved {
                continue
            }
        }
        return views
    }
}
