// The answers to changes: confirmed, refused for good, or older than what the server has.

internal import Foundation

extension ClientState {
    mutating func take(
        _ response: ClientResponse,
        _ problem: ProblemDocument?,
        ofChange sequence: Int64,
        at now: ClientInstant
    ) -> [ClientAction] {
        guard let change = record.queue.changes.first(where: { $0.sequence == sequence }) else { return [] }
        if response.isSuccess {
            record.queue.remove(sequence)
            return confirmed(change, by: response, at: now)
        }
        if response.status == 409, problem?.slug == "stale-client-sequence" {
            return resolve(change, problem, at: now)
        }
        record.queue.remove(sequence)
        return refused(change, by: response, problem)
    }

    private mutating func confirmed(
        _ change: PendingChange,
        by response: ClientResponse,
        at now: ClientInstant
    ) -> [ClientAction] {
        switch change.operation {
        case .follow(let match, _):
            guard let answer = ClientJSON.decode(FollowItem.self, from: response.body) else { return [] }
            record.follows[match]?.channelID = answer.channelId
            record.follows[match]?.confirmed = change.sequence
            return [.notify(.followsChanged)]
        case .reportActivity(let id, let match, _, _, _, _):
            guard let answer = ClientJSON.decode(ActivityAnswer.self, from: response.body) else {
                count(.undecodable, at: now)
                return []
            }
            // The server has started the match again: the answer to a report names the older activity to end.
            let isSecond = record.activities.contains { $0.key != id && $0.value.matchID == match }
            if isSecond && !isListing { needs.insert(.listing) }
            guard let state = answer.contentState else { return [] }
            return draw(state, on: id, staleDate: answer.staleDate, timestamp: answer.timestamp, at: now)
        case .setToken(let name, let token):
            if record.tokens[name] == token {
                record.tokensConfirmedAt = (record.tokensConfirmedAt ?? [:]).merging([name: now.wall]) { $1 }
            }
            return []
        case .unfollow, .removeToken, .endActivity, .describeDevice: return []
        }
    }

    private mutating func resolve(
        _ change: PendingChange,
        _ problem: ProblemDocument?,
        at now: ClientInstant
    ) -> [ClientAction] {
        let stored = problem?.clientSeq ?? change.sequence
        let current = problem?.current
        record.queue.raise(to: stored)
        switch ChangeResolution(of: change, stored: stored, changedAt: current?.changedAtMs, at: now.wall) {
        case .registerAgain:
            let actions = loseCredential()
            record.queue = ChangeQueue(continuing: record.queue, at: now.wall)
            return actions
        case .reissue:
            record.queue.reissue(change.sequence, at: now.wall)
            return []
        case .keepStored:
            record.queue.remove(change.sequence)
            guard case .follow(let match) = change.target, !record.queue.has(change.target) else { return [] }
            if let current { adopt(current, at: now) } else { record.follows[match] = nil }
            return [.notify(.followsChanged)]
        }
    }

    private mutating func refused(
        _ change: PendingChange,
        by response: ClientResponse,
        _ problem: ProblemDocument?
    ) -> [ClientAction] {
        switch (change.operation, response.status) {
        case (.follow(let match, _), 404): return drop(match, .unknownMatch, unless: change)
        case (.follow(let match, _), 410): return drop(match, .matchRemoved, unless: change)
        case (.follow(let match, _), 422):
            let isLimit = problem?.slug == "too-many-follows"
            return drop(match, isLimit ? .tooManyFollows : .invalid, unless: change)
        case (.reportActivity(let id, _, _, _, _, _), 404), (.reportActivity(let id, _, _, _, _, _), 409),
            (.reportActivity(let id, _, _, _, _, _), 410):
            // The match is gone, or this activity has ended at the server.
            forget(id)
            return [.endActivity(id: id)]
        case (.reportActivity(let id, _, .channel, _, _, _), 422):
            // Nothing is broadcast on this channel; the next start takes the channel of the follow.
            forget(id)
            return [.endActivity(id: id), .notify(.changeRefused(change, status: 422, slug: problem?.slug))]
        default:
            // The next start of the app sends a refused token again.
            if case .setToken(let name, let token) = change.operation, record.tokens[name] == token {
                record.tokensConfirmedAt?[name] = nil
            }
            return [.notify(.changeRefused(change, status: response.status, slug: problem?.slug))]
        }
    }

    /// Removes a follow that the server does not accept; a newer change for the match remains.
    private mutating func drop(
        _ match: String,
        _ refusal: ClientNotice.Refusal,
        unless change: PendingChange
    ) -> [ClientAction] {
        if !record.queue.has(change.target) { record.follows[match] = nil }
        return [.notify(.followRefused(match: match, refusal))]
    }

    mutating func takeFollows(_ response: ClientResponse, at now: ClientInstant) -> [ClientAction] {
        if response.status == 304 { return endOrphans(at: now) }
        guard response.isSuccess, let list = ClientJSON.decode(FollowListAnswer.self, from: response.body) else {
            return []
        }
        let before = record.follows
        record.followsTag = response.headers["etag"]
        for item in list.items { adopt(item, at: now) }
        let listed = Set(list.items.map(\.matchId))
        for match in before.keys where !listed.contains(match) && !record.queue.has(.follow(match: match)) {
            record.follows[match] = nil
        }
        if Set(record.follows.keys) != Set(before.keys) { needSurfaces() }
        let notices: [ClientAction] = record.follows == before ? [] : [.notify(.followsChanged)]
        return notices + endOrphans(at: now)
    }

    /// Adopts a follow of the server, unless a change of it waits; reports activities whose channel is known now.
    mutating func adopt(_ answer: FollowItem, at now: ClientInstant) {
        let match = answer.matchId
        record.queue.raise(to: answer.clientSeq ?? 0)
        if record.queue.has(.follow(match: match)) {
            record.follows[match]?.channelID = answer.channelId
        } else {
            let known = record.follows[match]
            var follow = FollowedMatch(answer.choices(knowing: known?.choices))
            follow.channelID = answer.channelId
            follow.confirmed = answer.clientSeq ?? 0
            record.follows[match] = follow
        }
        guard let channel = record.follows[match]?.channelID, record.description?.channelsSupported == true else {
            return
        }
        for id in record.activityOrder {
            guard let activity = record.activities[id], activity.matchID == match, activity.reported == nil,
                activity.isStartedByPush
            else { continue }
            report(id, at: .channel(channel), at: now)
        }
    }
}
