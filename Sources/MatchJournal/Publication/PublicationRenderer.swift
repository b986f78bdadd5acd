// Rows become bytes here alone; every node renders the same bytes from the same rows.

internal import LiveSurface
internal import MatchEngine
internal import ScoreTypes

/// Renders publications; pure.
struct PublicationRenderer: Sendable {
    /// URL scheme of the app, for deep links.
    let scheme: String
    /// The newest layout of the content state that is rendered.
    var newestLayout = ContentStateVersion.newest

    /// Renders the unsent rows of a match; nil when there are none, or before a feed has reported the match.
    func render(_ live: LiveMatch, head: JournalHead) -> Publication? {
        PublicationBatch(live.rows, confirmed: live.confirmed, now: head.readAt).flatMap { batch in
            render(
                batch,
                of: live.replica,
                match: live.match,
                epoch: head.revision.epoch,
                dayEndedAt: live.dayEndedAt,
                recent: live.alerts,
                corrections: live.announced.corrections.filter { head.readAt - $0.at < JournalLimits.alertAge }
            )
        }
    }

    /// Renders a batch; nil before a feed has reported the match.
    func render(
        _ batch: PublicationBatch,
        of replica: MatchReplica,
        match: MatchID,
        epoch: Epoch,
        dayEndedAt: Instant? = nil,
        recent: [RecentAlert] = [],
        corrections: [AlertCorrection] = []
    ) -> Publication? {
        let (state, record) = (replica.state, replica.record)
        guard let info = record.info else { return nil }
        let moments = Self.digested(state.moments, batch, in: state)
        let alerting = Self.alertingMoment(batch, moments: moments)
        let event = alerting?.moment ?? Self.displayedMoment(in: state, record: record, moments: moments)
        var content = ContentStateRenderer.render(state, info: info, revision: batch.head.revision, event: event)
        let bytes = ContentStateRenderer.bytes(of: content)
        let context = SurfaceContext(
            match: match,
            revision: batch.head.revision,
            updatedAt: batch.head.at,
            scheme: scheme,
            event: event
        )
        let other = OtherContent(beside: content, of: state, info: info, in: context, upTo: newestLayout)
        content.rev = 0
        return Publication(
            match: match,
            revision: Revision(epoch: epoch, number: batch.head.revision),
            feed: FeedID(batch.head.feed),
            apnsTimestamp: batch.head.apnsTimestamp,
            contentState: bytes,
            stateHash: Self.hash(content, alertKey: alerting?.key, forcedRevision: batch.forcedRevision),
            priority: Self.priority(of: batch, hasAlert: alerting != nil),
            relevance: max(state.relevance, alerting?.moment.relevance ?? 0),
            alert: alerting.map { PublicationAlert(title: $0.moment.title, body: $0.moment.body) },
            alertKey: alerting?.key,
            alertRevision: alerting?.revision,
            alertMoment: alerting.map { MomentIdentity($0.moment) },
            standingAlerts: Self.standing(recent, alerting, moments: moments),
            announced: moments.compactMap { moment in
                batch.announced[MomentIdentity(moment)].map {
                    ConfirmedMoment(moment, revision: $0.revision, at: $0.at)
                }
            },
            corrections: corrections,
            phase: state.phase,
            dayEndedAt: dayEndedAt,
            isFinal: Self.isFinal(state, record: record, moments: moments),
            cause: batch.head.cause,
            seenAt: batch.head.seenAt,
            committedAt: batch.head.at,
            state: state,
            info: info,
            attributes: ContentStateRenderer.bytes(
                of: ContentStateRenderer.attributes(of: info, match: match, scheme: scheme)
            ),
            other: other
        )
    }

    /// A moment with an alert, with the key and the revision of its confirmation.
    private struct AlertingMoment {
        let moment: Moment
        let key: MomentKey
        let revision: Int64
    }

    /// The alert of the fresh rows, unless its moment was withdrawn, or is another person's by now.
    private static func alertingMoment(_ batch: PublicationBatch, moments: [Moment]) -> AlertingMoment? {
        let all = batch.fresh.compactMap { row -> AlertingMoment? in
            guard let announced = row.alert else { return nil }
            let moment = moments.last { MomentIdentity($0) == MomentIdentity(announced) }
            return moment.map { AlertingMoment(moment: $0, key: announced.key, revision: row.revision) }
        }
        let best = Moment.mostImportant(of: all.map(\.moment))
        return all.last { $0.moment == best }
    }

    /// The moments of a match, with those that one row announces in the words of their digest.
    private static func digested(_ moments: [Moment], _ batch: PublicationBatch, in state: MatchState) -> [Moment] {
        guard batch.announced.count > 1 else { return moments }
        let places = moments.indices.filter { batch.announced[MomentIdentity(moments[$0])] != nil }
        var digested = moments
        let rows = Dictionary(grouping: places) { batch.announced[MomentIdentity(moments[$0])]?.revision }
        for places in rows.values {
            for (place, moment) in zip(places, WicketDigest.of(places.map { moments[$0] }, in: state)) {
                digested[place] = moment
            }
        }
        return digested
    }

    /// The ids of the alerts whose moments were not withdrawn.
    private static func standing(
        _ recent: [RecentAlert],
        _ alerting: AlertingMoment?,
        moments: [Moment]
    ) -> Set<String> {
        guard !recent.isEmpty || alerting != nil else { return [] }
        let happened = Set(moments.map(MomentIdentity.init))
        var names = Set(recent.filter { happened.contains($0.moment) }.map(\.id))
        if let alerting { names.insert(Publication.alertID(alerting.key, at: alerting.revision)) }
        return names
    }

    /// The event that a silent state shows: that of the newest ball, or the end of the innings or match.
    static func displayedMoment(in state: MatchState, record: MatchRecord, moments: [Moment]) -> Moment? {
        let newest = record.deliveries.last?.key
        return Moment.mostImportant(
            of: moments.filter { moment in
                switch moment.kind {
                case .result: state.phase == .over
                case .inningsEnd: moment.innings == state.currentInnings?.info.ordinal && state.phase != .over
                default: state.phase == .live && moment.delivery != nil && moment.delivery == newest
                }
            }
        )
    }

    static func hash(
        _ content: LiveActivityAttributes.ContentState,
        alertKey: MomentKey?,
        forcedRevision: Int64?
    ) -> UInt64 {
        var hash = FNV1a()
        hash.add(ContentStateRenderer.bytes(of: content))
        if let alertKey {
            hash.add(alertKey.text.utf8)
        } else if let forcedRevision {
            hash.add(String(forcedRevision).utf8)
        }
        return hash.value
    }

    /// An overtaken row with an alert is urgent only while the alert is.
    private static func priority(of batch: PublicationBatch, hasAlert: Bool) -> Moment.Priority {
        let isUrgent = batch.fresh.contains { row in
            row.priority == Moment.Priority.ten.rawValue && (row.alertKey == nil || hasAlert)
        }
        return isUrgent ? .ten : .five
    }

    /// An ended activity takes no more balls, so that a result which is ahead of them does not end it.
    private static func isFinal(_ state: MatchState, record: MatchRecord, moments: [Moment]) -> Bool {
        guard state.phase == .over, state.result?.isAheadOfScores != true else { return false }
        return moments.allSatisfy { $0.kind != .result || record.confirmed.contains($0.key) }
    }
}
