// A suspicious reply has to be recognized when it comes again, whatever else has happened since.

internal import MatchEngine

/// The suspicious part of a reply; equal in two replies that are suspicious in the same way.
///
/// New balls are no part of it, so that a match that goes on cannot delay a true correction.
struct Suspicion: Hashable, Sendable, Codable {
    let reason: GateReason
    private let withdrawn: [DeliveryKey]
    private let inningsWithdrawn: [Int]
    private let teams: [String]
    private let fallen: [Int]
    /// Whether fewer balls of an innings have been bowled than before, by its total.
    let hasFewerBalls: Bool

    /// nil when nothing is suspicious.
    init?(_ changes: [Change], of snapshot: MatchSnapshot, against record: MatchRecord) {
        withdrawn = changes.compactMap { if case .withdrawn(let key) = $0 { key } else { nil } }
        inningsWithdrawn = changes.compactMap { if case .inningsWithdrawn(let ordinal) = $0 { ordinal } else { nil } }
        teams = snapshot.info.teams.map(\.id)
        let totals = Self.fallenTotals(snapshot, of: record)
        fallen = totals.map(\.ordinal)
        hasFewerBalls = totals.contains { $0.now.balls < $0.before.balls }
        if let info = record.info, info.teams.map(\.id) != teams, !Self.isAhead(record) {
            reason = .sidesChanged
        } else if Self.takesBackTheEnd(snapshot, of: record) {
            reason = .resultTakenBack
        } else if withdrawn.count > JournalLimits.withdrawals || !inningsWithdrawn.isEmpty {
            reason = .massWithdrawal
        } else if !withdrawn.isEmpty && Self.onlyEndsEarlier(snapshot, than: record) || !fallen.isEmpty {
            reason = .scoreFell
        } else {
            return nil
        }
    }

    /// Whether it is about totals, where either of two copies may be the older one.
    var isOfTotals: Bool { !fallen.isEmpty }

    /// Innings without balls whose total is lower than before: a correction looks like an older copy.
    private static func fallenTotals(
        _ snapshot: MatchSnapshot,
        of record: MatchRecord
    ) -> [(ordinal: Int, before: ReportedTotal, now: ReportedTotal)] {
        record.innings.compactMap { old in
            guard let before = old.reported else { return nil }
            guard let now = snapshot.innings.first(where: { $0.ordinal == old.ordinal })?.reported else { return nil }
            return now.isBehind(before) ? (old.ordinal, before, now) : nil
        }
    }

    /// Whether nothing of the match has been played: then finalists replace `to be announced`.
    private static func isAhead(_ record: MatchRecord) -> Bool {
        record.deliveries.isEmpty && record.innings.isEmpty && record.info?.toss == nil
    }

    private static func takesBackTheEnd(_ snapshot: MatchSnapshot, of record: MatchRecord) -> Bool {
        if record.result != nil && snapshot.result == nil { return true }
        return PlayPhase(of: record.status.status) == .over && PlayPhase(of: snapshot.status.status) != .over
    }

    /// Whether the reply is a prefix of the stored balls: nothing is corrected, so an older copy explains it.
    private static func onlyEndsEarlier(_ snapshot: MatchSnapshot, than record: MatchRecord) -> Bool {
        record.deliveries.starts(with: snapshot.deliveries)
    }
}
