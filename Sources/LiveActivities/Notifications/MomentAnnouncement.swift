// A publication may confirm several moments at once; a follower receives the most important one of their choice.

internal import FollowService
internal import LiveSurface
internal import Logging
internal import MatchEngine
internal import MatchJournal
internal import PushDispatcher
internal import ScoreTypes

/// The moments of one publication that followers can choose, and the match at that revision.
struct MomentAnnouncement: Sendable {
    /// Names an announcement.
    struct ID: Hashable {
        let match: MatchID
        let revision: Int64
    }

    let match: MatchID
    let revision: Int64
    let committedAt: Instant
    /// The most important first.
    let moments: [SelectableMoment]
    let state: MatchState
    let info: MatchInfo

    var id: ID { ID(match: match, revision: revision) }
    /// All kinds of its moments.
    var kinds: AlertKinds { AlertKinds(moments.map(\.kind)) }
}

extension MomentAnnouncement {
    /// The announcement of a publication; nil if it confirms no moment that can be chosen.
    init?(_ publication: Publication) {
        self.init(
            match: publication.match,
            revision: publication.revision.number,
            committedAt: publication.committedAt,
            moments: SelectableMoment.choices(of: publication.announced),
            state: publication.state,
            info: publication.info
        )
        if moments.isEmpty { return nil }
    }

    /// The notification of one moment; a surface that cannot be rendered is left out and logged.
    func content(of selected: SelectableMoment, isQuiet: Bool, scheme: String, log: Logger) -> NotificationContent {
        let context = SurfaceContext(
            match: match,
            revision: revision,
            updatedAt: committedAt,
            scheme: scheme,
            event: selected.moment,
            isQuiet: isQuiet
        )
        var content = NotificationContent(
            alert: PushAlert(title: selected.moment.title, body: selected.moment.body),
            thread: "match-\(match)",
            relevance: selected.moment.relevance,
            interruption: isQuiet ? .passive : .active,
            // A moment that is announced again, after a crash or for another subject, replaces the first announcement.
            collapseID: "\(selected.moment.key)/\(match)"
        )
        do throws(SurfaceError) {
            let snapshot = try SurfaceRenderer.snapshot(.notification, of: state, info: info, in: context)
            let payload = try snapshot.notificationPayload()
            content.sideCar = .init(key: "liveSurface", json: SurfaceRenderer.bytes(of: payload.liveSurface))
            content.category = payload.aps.category
            let level = payload.aps.interruptionLevel.flatMap { NotificationContent.Interruption(rawValue: $0) }
            if let level, !isQuiet { content.interruption = level }
        } catch {
            log.error("notification without its surface", metadata: ["error": "\(error)"])
        }
        return content
    }
}
