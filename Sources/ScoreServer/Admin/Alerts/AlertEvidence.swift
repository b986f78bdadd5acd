// Operators see what the waits for alerts follow from, and which alerts were false.

import MatchJournal
import ScoreTypes

/// Reads the evidence on which alerts are sent.
protocol AlertEvidence: Sendable {
    /// The counts and waits of each feed, in order of their ids.
    func confirmations() -> [FeedConfirmation]
    /// A page of revoked alerts, the newest first; `next` of a page begins the one behind it.
    func revoked(before number: Int64?, limit: Int) async throws -> RevokedAlertPage
}

/// The counted corrections of a feed, with the waits that follow.
struct FeedConfirmation: Sendable, Hashable {
    /// One kind of moment.
    struct Kind: Sendable, Hashable {
        let kind: MomentClass
        let curve: CorrectionCurve
        /// Seconds after which an unchanged reply confirms it.
        let wait: Int
    }

    let feed: FeedID
    /// The share of alerts that may be false.
    let target: Double
    let kinds: [Kind]

    init(_ feed: FeedID, _ curves: CorrectionEvidence.Curves, target: Double) {
        (self.feed, self.target) = (feed, target)
        kinds = MomentClass.allCases.map { kind in
            let curve = curves[kind] ?? CorrectionCurve()
            return Kind(kind: kind, curve: curve, wait: curve.wait(target: target))
        }
    }

    /// The expected share of false alerts after each wait from 0 s to the bound.
    func shares(of kind: Kind) -> [Double] {
        (0...CorrectionCurve.bound).map { kind.curve.falseShare(after: $0, target: target) }
    }

    var json: JSONValue {
        .record([
            "feed": .text(feed.text), "falseTarget": .whole(Int((1 / target).rounded())),
            "kinds": .array(
                kinds.map { kind in
                    .record([
                        "kind": .text(kind.kind.rawValue), "waitSeconds": .whole(kind.wait),
                        "reported": .whole(kind.curve.reported), "wrong": .whole(kind.curve.wrong.reduce(0, +)),
                        "late": .whole(kind.curve.late), "missesTarget": .bool(kind.curve.missesTarget(target)),
                        "falsePerMillion": .array(shares(of: kind).map { .whole(Int(($0 * 1_000_000).rounded())) }),
                    ])
                }
            ),
        ])
    }
}

/// The evidence of this node, and the stored alerts of all.
struct StoredAlertEvidence: AlertEvidence {
    let evidence: CorrectionEvidence
    let records: EvidenceRecords
    /// The configured feeds, which are shown before they have reported anything.
    let feeds: [FeedID]

    func confirmations() -> [FeedConfirmation] {
        let curves = evidence.curves
        return Set(feeds + curves.keys).sorted { $0.text < $1.text }.map {
            FeedConfirmation($0, curves[$0] ?? [:], target: evidence.target)
        }
    }

    func revoked(before number: Int64?, limit: Int) async throws -> RevokedAlertPage {
        try await records.revoked(before: number, limit: limit)
    }
}
