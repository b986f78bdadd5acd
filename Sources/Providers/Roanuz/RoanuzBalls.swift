// Most pages of a match are the same from one poll to the next; their rows are not read again.

internal import MatchEngine
internal import ScoreTypes

/// The balls of a match, and the rows that they were made of.
struct RoanuzBalls: Sendable {
    /// The rows of a page none of whose balls the match repeats.
    private struct Over {
        let body: [UInt8]
        let rows: [RoanuzPageRow]
    }

    /// The deliveries, in match order.
    let deliveries: [Delivery]
    /// The keys of absent batters, by innings and in match order; their rows have no ball.
    let absentees: [String: [String]]
    private let people: RoanuzPeople
    private let order: [String]
    private let overs: [ReplyPart: Over]

    /// Reads the balls of all pages, each once; the rows of unchanged pages are taken from an earlier state.
    init(
        _ pages: RoanuzPages,
        of match: RoanuzMatch,
        _ order: [String],
        _ people: RoanuzPeople,
        _ replies: ProviderReplies,
        after earlier: RoanuzBalls?
    ) throws(AdapterError) {
        let earlier = earlier.flatMap { $0.order == order && $0.people == people ? $0 : nil }
        let reader = RoanuzPageReader(people: people, order: order)
        let related = match.play?.relatedBalls ?? [:]
        let review = RoanuzReview(match, order)
        var overs: [ReplyPart: Over] = [:]
        var rows: [RoanuzPageRow] = []
        // The oldest over first, so that the rows are nearly in order.
        for (part, over) in pages.overs.reversed() {
            let body = try replies.required(part)
            let isRepeated = over.balls.contains { related[$0.key] != nil }
            var page: [RoanuzPageRow]
            if !isRepeated, let known = earlier?.overs[part], known.body == body {
                page = known.rows
            } else {
                page = try reader.rows(of: over, newest: related, on: part)
            }
            review.mark(&page)
            if !isRepeated { overs[part] = Over(body: body, rows: page) }
            rows += page
        }
        rows = try RoanuzDeliveryReader.ordered(rows)
        let totals = match.play?.innings ?? [:]
        deliveries = RoanuzDeliveryReader(order: order, totals: totals).deliveries(of: rows)
        let absences = rows.filter { $0.absentee != nil }
        absentees = Dictionary(grouping: absences) { order[$0.key.innings - 1] }.mapValues { $0.compactMap(\.absentee) }
        (self.people, self.order, self.overs) = (people, order, overs)
    }
}
