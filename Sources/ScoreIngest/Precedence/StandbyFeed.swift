// A feed that does not lead is compared with the journal, so that it can lead at once when the leader falls silent.

internal import MatchEngine
internal import MatchJournal

/// The reports of a feed about a match while another one leads.
struct StandbyFeed: Sendable {
    /// Its newest snapshot.
    private(set) var reply: SeenReply?
    /// The differences of its newest snapshot from the journal.
    private(set) var disagreements: Set<Disagreement> = []

    /// Whether its newest snapshot has seen less of the match than the journal.
    func isBehind(_ stored: MatchRecord) -> Bool { reply.map { $0.totals.isBehind(stored.totals) } ?? false }

    /// Whether by its newest snapshot play has begun and is not over.
    var isInPlay: Bool { reply.map { $0.snapshot.status.isInPlay(hasBalls: !$0.snapshot.deliveries.isEmpty) } ?? false }

    /// Takes a snapshot; returns disagreements that the one before did not have.
    mutating func take(_ reply: SeenReply, against stored: MatchRecord, hasSameSides: Bool) -> Set<Disagreement> {
        self.reply = reply
        let before = disagreements
        disagreements = hasSameSides ? reply.totals.disagreements(with: stored.totals) : [.sides]
        return disagreements.subtracting(before)
    }

    /// Takes a snapshot that is written without a comparison, since no other feed has the match.
    mutating func keep(_ reply: SeenReply) { (self.reply, disagreements) = (reply, []) }
}

extension SeenReply {
    fileprivate var totals: MatchTotals { MatchTotals(snapshot.deliveries, snapshot.innings) }
}

extension MatchRecord {
    fileprivate var totals: MatchTotals { MatchTotals(deliveries, innings) }
}
