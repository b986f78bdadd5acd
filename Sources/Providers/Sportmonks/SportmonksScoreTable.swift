// The score id is the whole score of a ball, so an unknown one refuses the reply: a guess would be published.

internal import ScoreTypes

/// The meaning of each score id: recorded entries, and those of `/scores`.
struct SportmonksScoreTable: Decodable, Sendable, Hashable {
    private var entries: [Int: SportmonksScore] = [:]
    private var meanings: [Int: SportmonksMeaning] = [:]
    /// Entries of `/scores` that contradict recorded ones, and entries that cannot be read.
    private(set) var doubts: [AdapterError] = []

    /// The recorded entries alone.
    init() {
        for score in Self.observed { add(score) }
    }

    /// The recorded entries and the reply to `/scores`; an id with two meanings has none, since either would be a guess
    /// (cricket.md B.2).
    init(from decoder: any Decoder) throws {
        self.init()
        let entries = try SportmonksReply<LossyList<SportmonksScore>>(from: decoder).content()
        doubts = entries.refused
        for score in entries.elements {
            let seen = meanings[score.id]
            add(score)
            guard let seen, let given = meanings[score.id], given != seen else { continue }
            meanings[score.id] = nil
            let expected = "score \(score.id) to keep its meaning, not \"\(Self.name(of: score))\""
            doubts.append(.contradiction(path: "data", expected: expected))
        }
    }

    /// The meaning of an id.
    ///
    /// - Throws: `AdapterError.unknownWord` for an id that is not in the table, and for one with an unknown name or a
    ///   contradicted meaning; an entry that no ball uses is no error.
    func meaning(of id: Int, at path: @autoclosure () -> String) throws(AdapterError) -> SportmonksMeaning {
        if let meaning = meanings[id] { return meaning }
        throw .unknownWord(path: path(), word: entries[id].map { "\(id) \(Self.name(of: $0))" } ?? "\(id)")
    }

    /// The meaning of a ball's id; the copy of the entry that a ball may have has to agree with the table.
    func meaning(of ball: SportmonksBall, at path: @autoclosure () -> String) throws(AdapterError) -> SportmonksMeaning
    {
        let meaning = try meaning(of: ball.scoreId, at: "\(path()).score_id")
        // The copy is nearly always equal to the entry, and need not be parsed.
        if let own = ball.score?.thing, own != entries[ball.scoreId],
            own.id != ball.scoreId || SportmonksMeaning(own) != meaning
        {
            throw .contradiction(path: "\(path()).score", expected: "the score of score_id")
        }
        return meaning
    }

    private mutating func add(_ score: SportmonksScore) {
        entries[score.id] = score
        meanings[score.id] = SportmonksMeaning(score)
    }

    private static func name(of score: SportmonksScore) -> String { SafeText.clean(String(score.name.prefix(60))) }

    /// Entries of recorded replies, so that matches can be read while `/scores` fails.
    private static let observed: [SportmonksScore] = [
        SportmonksScore(1, "1 Bye", bye: 1),
        SportmonksScore(2, "1 Bye + Retired Hurt", bye: 1),
        SportmonksScore(3, "1 Bye + Run Out", bye: 1, isWicket: true),
        SportmonksScore(4, "1 Leg Bye", legBye: 1),
        SportmonksScore(5, "1 Leg Bye + Run Out", legBye: 1, isWicket: true),
        SportmonksScore(6, "1 Leg Bye + 4 Runs", runs: 4, legBye: 5),
        SportmonksScore(17, "1 Wide", runs: 1, ball: false),
        SportmonksScore(47, "FOUR", runs: 4, four: true),
        SportmonksScore(52, "5 Wides", runs: 5, ball: false),
        SportmonksScore(54, "Catch Out", isWicket: true),
        SportmonksScore(69, "1 Run", runs: 1),
        SportmonksScore(79, "Clean Bowled", isWicket: true),
        SportmonksScore(82, "No Run"),
        SportmonksScore(84, "Not Out"),
    ]
}

extension SportmonksScore {
    fileprivate init(
        _ id: Int,
        _ name: String,
        runs: Int = 0,
        four: Bool = false,
        bye: Int = 0,
        legBye: Int = 0,
        ball: Bool = true,
        isWicket: Bool = false
    ) {
        self.id = id
        self.name = name
        self.runs = runs
        self.four = FlexibleBool(four)
        six = FlexibleBool(false)
        self.bye = bye
        self.legBye = legBye
        noball = 0
        noballRuns = 0
        self.isWicket = FlexibleBool(isWicket)
        self.ball = FlexibleBool(ball)
        out = FlexibleBool(isWicket)
    }
}
