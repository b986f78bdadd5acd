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
    /// Names an announcement, or the corrections of a revision.
    struct ID: Hashable {
        let match: MatchID
        let revision: Int64
        var isCorrection = false

        /// Whether it has to be sent before another one: a record of that one covers it, too.
        func precedes(_ other: ID) -> Bool {
            guard match == other.match else { return false }
            return revision == other.revision ? isCorrection && !other.isCorrection : revision < other.revision
        }
    }

    let match: MatchID
    let revision: Int64
    let committedAt: Instant
    /// The most important first.
    let moments: [SelectableMoment]
    let state: MatchState
    let info: MatchInfo

    var id: ID { ID(match: match, revision: revision) }
    var order: NoticeOrder { NoticeOrder(id: id, since: confirmedAt) }
    /// All kinds of its moments.
    var kinds: AlertKinds { AlertKinds(moments.map(\.kind)) }
    /// When the latest of its moments was confirmed.
    var confirmedAt: Instant { moments.map(\.confirmed.at).max() ?? committedAt }

    /// The moments that buckets have not had, by ranges of neighbouring buckets with the same ones.
    ///
    /// `announced` is the revision up to which each bucket was announced; other buckets are left out.
    func shares(_ announced: [Bucket: Int64]) -> [(announcement: MomentAnnouncement, buckets: ClosedRange<Bucket>)] {
        var ranges: [(revisions: Set<Int64>, buckets: ClosedRange<Bucket>)] = []
        for bucket in announced.keys.sorted() {
            let floor = announced[bucket] ?? 0
            let revisions = Set(moments.map(\.confirmed.revision).filter { $0 > floor })
            if let last = ranges.last, last.revisions == revisions,
                last.buckets.upperBound.number + 1 == bucket.number
            {
                ranges[ranges.count - 1].buckets = last.buckets.lowerBound...bucket
            } else {
                ranges.append((revisions, bucket...bucket))
            }
        }
        return ranges.filter { !$0.revisions.isEmpty }.map { revisions, buckets in
            (only { revisions.contains($0.confirmed.revision) }, buckets)
        }
    }

    private func only(_ holds: (SelectableMoment) -> Bool) -> MomentAnnouncement {
        MomentAnnouncement(
            match: match,
            revision: revision,
            committedAt: committedAt,
            moments: moments.filter(holds),
            state: state,
            info: info
        )
    }
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

    /// A moment that is announced again, for another person or after a crash, replaces the first one, and so does its
    /// correction.
    static func collapseID(of key: MomentKey, _ match: MatchID) -> String { "\(key)/\(match)" }

    /// The notification of one moment, which is the payload of its snapshot; nil if that cannot be rendered.
    ///
    /// - `hasTable`: Whether the app has the table of the texts, so that keys of it are sent.
    func content(
        of selected: SelectableMoment,
        isQuiet: Bool,
        hasTable: Bool,
        form: NotificationForm,
        log: Logger
    ) -> NotificationContent? {
        let context = SurfaceContext(
            match: match,
            revision: revision,
            updatedAt: committedAt,
            scheme: form.scheme,
            event: selected.moment,
            isQuiet: isQuiet
        )
        do throws(SurfaceError) {
            let payload = try SurfaceRenderer.notification(
                of: state,
                info: info,
                in: context,
                category: form.category,
                hasKeys: hasTable
            )
            return NotificationContent(
                payload: SurfaceRenderer.bytes(of: payload),
                passivePayload: isQuiet ? nil : SurfaceRenderer.bytes(of: payload.passive),
                collapseID: Self.collapseID(of: selected.moment.key, match),
                recall: selected.recall
            )
        } catch {
            log.error("notification not rendered", metadata: ["match.id": "\(match)", "error": "\(error)"])
            return nil
        }
    }
}

/// Names a notice, and says since when it is news.
struct NoticeOrder: Sendable {
    let id: MomentAnnouncement.ID
    let since: Instant
}

/// The settings of an operator for notifications.
struct NotificationForm: Sendable {
    /// The URL scheme of the app, for deep links.
    let scheme: String
    /// The category that the app registers; nil for that of the contract.
    var category: String?
}
