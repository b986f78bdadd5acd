// A match is assembled from several replies, which may be of different ages.

internal import MatchEngine
internal import ScoreTypes

/// Assembles scorecard, balls and squads.
struct EntitySportReader {
    private let card: EntitySportEnvelope<EntitySportMatch>
    private let squads: EntitySportSquads?
    private let commentaries: [(number: Int, reply: EntitySportEnvelope<EntitySportCommentary>)]
    private let people: EntitySportPeople
    private let replies: ProviderReplies

    /// Reads the parts of all innings of the scorecard.
    init(_ replies: ProviderReplies) throws(AdapterError) {
        card = try Self.card(replies)
        let innings = card.response.innings ?? []
        try AdapterError.check(innings, atMost: AdapterLimits.innings, at: "match:response.innings")
        squads = try replies[EntitySportAdapter.squads].map { _ throws(AdapterError) in
            try EntitySportEnvelope<EntitySportSquads>.read(EntitySportAdapter.squads, of: replies).response
        }
        commentaries = try innings.compactMap { $0.number.whole }.map { number throws(AdapterError) in
            let part = EntitySportAdapter.balls(number)
            return (number, try .read(part, of: replies))
        }
        var people = EntitySportPeople()
        people.add(squads?.players)
        people.add(card.response.players)
        for commentary in commentaries { people.add(commentary.reply.response.players) }
        self.people = people
        self.replies = replies
    }

    /// The scorecard, or the reply in its place before play.
    private static func card(_ replies: ProviderReplies) throws(AdapterError) -> EntitySportEnvelope<EntitySportMatch> {
        if replies[EntitySportAdapter.card] != nil { return try .read(EntitySportAdapter.card, of: replies) }
        let match = try EntitySportEnvelope<EntitySportMatch>.read(.match, of: replies)
        // Without its scorecard a match in play would seem to have lost all its innings.
        guard !match.response.hasCard else { throw .missing(path: "reply \(EntitySportAdapter.card)") }
        return match
    }

    /// The match so far.
    func snapshot() throws(AdapterError) -> MatchSnapshot {
        var balls: [Delivery] = []
        for (number, reply) in commentaries {
            balls += try deliveries(of: reply.response, innings: number)
        }
        let match = card.response
        let frame = try EntitySportFrameReader(match, squads: squads, people: people)
        let innings = EntitySportInningsReader(frame: frame, people: people)
        let rows = Dictionary(commentaries.map { ($0.number, $0.reply.response.inning) }) { _, last in last }
        let isSuperOver = match.innings?.max { $0.number.value < $1.number.value }.map(innings.isSuperOver) ?? false
        let frames = try innings.frames(rows: rows, balls: balls)
        let hasBalls = !balls.isEmpty || frames.contains { $0.reported?.isBegun == true }
        return MatchSnapshot(
            info: try frame.info(),
            innings: frames,
            deliveries: balls,
            status: try EntitySportStatus.report(of: match, isSuperOver: isSuperOver, hasBalls: hasBalls),
            result: frame.result(),
            version: version,
            isIncomplete: isIncomplete
        ).awaitingResult(revisedBy: EntitySportStatus.sentence(of: match)?.method)
    }

    /// The balls of an innings; while its reply and the people are the same they are not converted again.
    private func deliveries(
        of commentary: EntitySportCommentary,
        innings: Int
    ) throws(AdapterError) -> [Delivery] {
        let part = EntitySportAdapter.balls(innings)
        let body = try replies.required(part)
        return try AdapterError.within(part) { () throws(AdapterError) in
            try replies.derived(part) { (earlier: EntitySportBalls?) throws(AdapterError) in
                if let earlier, earlier.body == body, earlier.people == people { return earlier }
                let balls = try EntitySportDeliveryReader.deliveries(of: commentary, innings: innings, people)
                return EntitySportBalls(body: body, people: people, deliveries: balls)
            }.deliveries
        }
    }

    /// The sum of the modification times of all parts: it grows with any newer part, and falls when a part is an old
    /// copy.
    private var version: Int64? {
        var sum: Int64 = 0
        let times = [card.modifiedAt] + commentaries.map(\.reply.modifiedAt)
        for time in times {
            guard let time, time > 0 else { return nil }
            sum &+= time
        }
        return sum
    }

    /// Whether the balls of an innings are no newer than the scorecard and differ from it.
    private var isIncomplete: Bool {
        commentaries.contains { number, reply in
            guard let inning = card.response.innings?.first(where: { $0.number.whole == number }) else { return false }
            if let balls = reply.modifiedAt, let card = card.modifiedAt, balls > card { return false }
            return !inning.agrees(with: reply.response.inning)
        }
    }
}

/// The balls of an innings, and what they were made of.
private struct EntitySportBalls: Sendable {
    let body: [UInt8]
    let people: EntitySportPeople
    let deliveries: [Delivery]
}
