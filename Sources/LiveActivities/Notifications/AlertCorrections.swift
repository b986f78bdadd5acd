// A notification that was wrong is replaced on its collapse id by the right one, without a sound.

internal import FollowService
internal import LiveSurface
internal import Logging
internal import MatchEngine
internal import MatchJournal
internal import PushDispatcher
internal import ScoreTypes

/// The corrections that one revision brought.
struct AlertCorrections: Sendable {
    /// Moments that were announced at one revision; a follower received one of them.
    struct Group: Sendable {
        /// The revision and its time: the audience is the one of the alert.
        let announced: (revision: Int64, at: Instant)
        /// The most important first.
        let moments: [SelectableMoment]
        /// The texts in place of alerts, by the keys of these.
        let texts: [MomentKey: Moment]

        var published: MomentNotifier.Published {
            MomentNotifier.Published(AlertKinds(moments.map(\.kind)), announced.at, isCorrected: true)
        }

        /// The text for a follower; nil if the moment that they received is right.
        func text(for recipient: AlertRecipient) -> Moment? {
            moments.first { $0.suits(recipient) }.flatMap { texts[$0.moment.key] }
        }
    }

    let source: NotifiedRevision
    let groups: [Group]

    var match: MatchID { source.match }
    var revision: Int64 { source.number }

    var order: NoticeOrder {
        NoticeOrder(id: MomentAnnouncement.ID(match: match, revision: revision, isCorrection: true), since: source.at)
    }

    /// The silent notification of a text; nil if it cannot be rendered.
    func content(
        of text: Moment,
        isQuiet: Bool,
        hasTable: Bool,
        form: NotificationForm,
        log: Logger
    ) -> NotificationContent? {
        source.payload(of: text, isQuiet: isQuiet, hasTable: hasTable, form: form, log: log).map { payload in
            NotificationContent(
                payload: SurfaceRenderer.bytes(of: payload.silent),
                passivePayload: nil,
                collapseID: MomentAnnouncement.collapseID(of: text.key, match),
                edition: revision
            )
        }
    }
}

extension AlertCorrections {
    /// The corrections of a publication, those of each revision for themselves, the oldest first.
    static func all(of publication: Publication) -> [AlertCorrections] {
        Dictionary(grouping: publication.corrections, by: \.revision).sorted { $0.key < $1.key }.compactMap {
            AlertCorrections($1, of: publication)
        }
    }

    private init?(_ corrections: [AlertCorrection], of publication: Publication) {
        guard let first = corrections.first else { return nil }
        source = NotifiedRevision(
            match: publication.match,
            number: first.revision,
            at: first.at,
            state: publication.state,
            info: publication.info
        )
        groups = Dictionary(grouping: corrections, by: \.alert.revision).sorted { $0.key < $1.key }.map {
            revision,
            corrections in
            let alert = corrections[0].alert
            let announced = corrections[0].announced.map { ConfirmedMoment($0, revision: revision, at: alert.at) }
            return Group(
                announced: (revision, alert.at),
                moments: SelectableMoment.choices(of: announced),
                texts: Dictionary(corrections.map { ($0.alert.moment.key, $0.text) }) { _, last in last }
            )
        }
        .filter { !$0.moments.isEmpty }
        if groups.isEmpty { return nil }
    }
}

/// Where the alerts of one announcement went, as far as this node sent them.
struct SentAlerts: Sendable {
    let match: MatchID
    /// The revisions that confirmed the moments.
    let revisions: Set<Int64>
    let at: Instant
    /// The buckets that this node sent the alerts to.
    let buckets: ClosedRange<Bucket>
    /// Buckets in which an alert was accepted, or may have been.
    let reached: Set<Bucket>
    /// Devices of these that certainly have none: an alert that waited was withdrawn.
    let missed: Set<DeviceID>
}

/// Decides where a correction goes: to the devices that have, or may have, the alert.
struct CorrectionReach: Sendable {
    /// The buckets with such devices, by neighbouring ones.
    let ranges: [ClosedRange<Bucket>]
    /// Devices in these buckets that have no alert.
    let missed: Set<DeviceID>

    /// Selects the buckets of a correction.
    ///
    /// - `announced`: The revision up to which each bucket was announced; other buckets have had the correction.
    /// - `revision`: The revision of the alert.
    /// - `sent`: The alerts that this node sent; where another node sent the alert, its record of the bucket decides.
    init(_ announced: [Bucket: Int64], of revision: Int64, in match: MatchID, sent: [SentAlerts]) {
        let own = sent.filter { $0.match == match && $0.revisions.contains(revision) }
        let due = announced.filter { bucket, recorded in
            let known = own.filter { $0.buckets.contains(bucket) }
            return known.isEmpty ? recorded >= revision : known.contains { $0.reached.contains(bucket) }
        }
        ranges = due.keys.sorted().reduce(into: []) { ranges, bucket in
            if let last = ranges.last, last.upperBound.number + 1 == bucket.number {
                ranges[ranges.count - 1] = last.lowerBound...bucket
            } else {
                ranges.append(bucket...bucket)
            }
        }
        missed = own.reduce(into: []) { $0.formUnion($1.missed) }
    }
}
