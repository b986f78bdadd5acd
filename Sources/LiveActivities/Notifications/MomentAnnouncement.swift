// A publication may confirm several moments at once; a follower receives the most important one of their choice.

internal import FollowService
internal import LiveSurface
internal import Logging
internal import MatchEngine
internal import MatchJournal
internal import PushDispatcher
internal import ScoreTypes

/// The moments of one publication that followers can choose.
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

    let source: NotifiedRevision
    /// The most important first.
    let moments: [SelectableMoment]

    var match: MatchID { source.match }
    var revision: Int64 { source.number }
    var committedAt: Instant { source.at }
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
        MomentAnnouncement(source: source, moments: moments.filter(holds))
    }
}

extension MomentAnnouncement {
    /// The announcement of a publication; nil if it confirms no moment that can be chosen.
    init?(_ publication: Publication) {
        let source = NotifiedRevision(
            match: publication.match,
            number: publication.revision.number,
            at: publication.committedAt,
            state: publication.state,
            info: publication.info
        )
        self.init(source: source, moments: SelectableMoment.choices(of: publication.announced))
        if moments.isEmpty { return nil }
    }

    /// A moment that is announced again, for another person or after a crash, replaces the first one, and so does its
    /// correction.
    static func collapseID(of key: MomentKey, _ match: MatchID) -> String { "\(key)/\(match)" }

    /// The notification of one moment; nil if it cannot be rendered.
    func content(
        of selected: SelectableMoment,
        isQuiet: Bool,
        hasTable: Bool,
        form: NotificationForm,
        log: Logger
    ) -> NotificationContent? {
        source.payload(of: selected.moment, isQuiet: isQuiet, hasTable: hasTable, form: form, log: log).map { payload in
            NotificationContent(
                payload: SurfaceRenderer.bytes(of: payload),
                passivePayload: isQuiet ? nil : SurfaceRenderer.bytes(of: payload.passive),
                collapseID: Self.collapseID(of: selected.moment.key, match),
                recall: selected.recall
            )
        }
    }
}

/// Names a notice, and says since when it is news.
struct NoticeOrder: Sendable {
    let id: MomentAnnouncement.ID
    let since: Instant
}
