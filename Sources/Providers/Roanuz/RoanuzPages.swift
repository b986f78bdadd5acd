// Balls come one over a page, and only the newest page is named by the match; the rest is found by walking back.

internal import MatchEngine
internal import ScoreTypes

/// The pages of a match that are held, and those that are missing.
struct RoanuzPages {
    /// Most pages that one call asks for at once, so that joining a Test late does not spend an hour's budget.
    static let askedMax = 20
    /// Pages of each kind of an innings asked for again in one call because its balls do not add up to its total.
    static let doubtedMax = 4
    /// Pages asked for again in one call because a batter's balls are not what the card says, which may stay wrong.
    static let mismatchedMax = 1
    /// The same once the match is over: nothing else is to come, and soon it is asked about no more.
    static let mismatchedAtEndMax = 4
    /// Most pages of a match.
    static let pagesMax = 900

    /// Keys of pages that have to be asked for before the match can be read.
    private(set) var missing: [String] = []
    /// Keys of pages that others pass over: worth asking for, and read without where the provider has none.
    private(set) var passedOver: [String] = []
    /// Keys of pages in order of finding: the newest first.
    private(set) var keys: [String] = []
    private var found: [(part: ReplyPart, page: RoanuzPage)] = []
    /// When the page of the newest over was made, in milliseconds since 1970; nil when it does not tell.
    private var newestMadeAt: Int64?
    /// By what the age of each page is compared with that of others.
    private var stamps: [String: Int64] = [:]
    /// Keys that are held or missing: those that need not be looked at again.
    private var known: Set<String> = []
    /// The number of an innings' first over in the keys of pages: 1 where no page with balls tells, which count from 0.
    private var firstOver = 1

    /// Walks the pages of a match.
    ///
    /// - Throws: `AdapterError` when the newest page has not come or is none.
    init(_ match: RoanuzMatch, _ order: [String], _ replies: ProviderReplies) throws(AdapterError) {
        guard match.hasPages, order.contains(where: { Self.hasBalls(match, $0) }) else { return }
        let newest = try Self.page(.balls, replies)
        let edits = newest.over?.balls.compactMap(\.updatedTime?.value)
        newestMadeAt = try Self.reply(.balls, replies).madeAt(showing: edits?.max())
        found.append((.balls, newest))
        learn(from: newest)
        walk(from: newest.previousOverKey, replies)
        // The walk may end with the first over of an innings: each innings before has an end of its own.
        for innings in order.reversed() where Self.hasBalls(match, innings) {
            let isCovered = found.contains { $0.page.over?.index.innings == innings }
            let isUnknown = missing.contains { $0.hasPrefix(innings + "_") }
            guard !isCovered, !isUnknown, let last = Self.lastOver(match, innings) else { continue }
            walk(from: "\(innings)_\(last + firstOver)", replies)
            walkOn(from: "\(innings)_\(last + firstOver)", in: innings, replies)
        }
    }

    /// Whether the page of the newest over was made before the match was.
    ///
    /// Where not both tell when, it is older when the match repeats a ball of that over in a newer state, or a later
    /// ball; of what was taken back that says nothing.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - madeAt: When it was made, in milliseconds since 1970; nil when it does not tell.
    /// - Returns: Whether what the match counts and the page lacks may still come.
    func isOlder(than match: RoanuzMatch, madeAt: Int64?) -> Bool {
        if let newestMadeAt, let madeAt { return newestMadeAt < madeAt }
        guard let balls = found.first?.page.over?.balls else { return false }
        let places = balls.compactMap { RoanuzBallKey($0.key)?.number }
        guard let first = places.min(), let last = places.max() else { return false }
        let editedAt = Dictionary(balls.map { ($0.key, $0.updatedTime?.value ?? 0) }) { one, _ in one }
        return (match.play?.relatedBalls ?? [:]).contains { key, ball in
            guard let place = RoanuzBallKey(key)?.number, place >= first else { return false }
            return place > last || editedAt[key].map { $0 < ball.updatedTime?.value ?? 0 } ?? false
        }
    }

    /// The key of the page that has the balls of an over; nil for the newest over, and for one that is not held.
    ///
    /// - Parameters:
    ///   - over: The over, from 0.
    ///   - innings: The key of the innings.
    /// - Returns: The key.
    func key(of over: Int, in innings: String) -> String? {
        let held = found.first { one in
            guard let held = one.page.over, held.index.innings == innings else { return false }
            guard let ball = held.balls.first else { return held.index.overNumber == over + firstOver }
            return ball.overs.first == over
        }
        return held.flatMap { held in keys.first { .balls($0) == held.part } }
    }

    /// The balls of all pages, each once; a ball that the match repeats in a newer state counts in that state.
    func sources(_ match: RoanuzMatch) -> [RoanuzDeliveryReader.Source] {
        var found: [String: RoanuzDeliveryReader.Source] = [:]
        var seen: Set<String> = []
        let related = match.play?.relatedBalls ?? [:]
        for (part, page) in self.found {
            guard let over = page.over else { continue }
            // The newest page may also be held under its own key, as it was before.
            guard seen.insert("\(over.index.innings)_\(over.index.overNumber)").inserted else { continue }
            for (index, ball) in over.balls.enumerated() {
                let newest = Self.newest(ball, related)
                found[ball.key] = RoanuzDeliveryReader.Source(ball: newest, part: part, index: index)
            }
        }
        return Array(found.values)
    }

    static func newest(_ ball: RoanuzBall, _ related: [String: RoanuzBall]) -> RoanuzBall {
        guard let other = related[ball.key] else { return ball }
        return (other.updatedTime?.value ?? 0) > (ball.updatedTime?.value ?? 0) ? other : ball
    }

    /// Keys of pages worth asking for again, the oldest first, and of equal ones beginning anywhere.
    ///
    /// They are one in which a batter was given what the card does not say, and of innings whose balls do not add up to
    /// their totals a few more, first those that are no whole over.
    func doubted(_ match: RoanuzMatch, startingAt start: Int) -> [String] {
        var sums: [String: Sum] = [:]
        var broken: Set<ReplyPart> = []
        let ballsPerOver = RoanuzFrame(match: match).formatIfKnown()?.ballsPerOver ?? RuleSet.usualBallsPerOver
        for (part, page) in found {
            guard let over = page.over else { continue }
            let own = Sum(over.balls)
            sums[over.index.innings, default: Sum()].add(own)
            if own.balls != ballsPerOver { broken.insert(part) }
        }
        let given = match.play?.innings ?? [:]
        let wrong = Set(given.keys.filter { !(sums[$0] ?? Sum()).agrees(with: given[$0]) })
        let mismatched = RoanuzMismatch(found, match).parts
        let isOver = RoanuzStatus.word(match.playStatus).map(PlayPhase.init(of:)) == .over
        let first = turn(
            keys.filter { mismatched.contains(.balls($0)) },
            start,
            atMost: isOver ? Self.mismatchedAtEndMax : Self.mismatchedMax
        )
        guard !wrong.isEmpty else { return first }
        let own = keys.filter { key in !first.contains(key) && wrong.contains { key.hasPrefix($0 + "_") } }
        // A ball that was gone when its over was asked for is missed there, and there alone.
        return first + turn(own.filter { broken.contains(.balls($0)) }, start, atMost: Self.doubtedMax)
            + turn(own.filter { !broken.contains(.balls($0)) }, start, atMost: Self.doubtedMax)
    }

    /// What balls add up to; numbers of a hostile page wrap around and agree with nothing.
    private struct Sum {
        var runs = 0
        var balls = 0

        init() {}

        init(_ all: [RoanuzBall]) {
            runs = all.reduce(0) { $0 &+ $1.teamScore.runs }
            balls = all.reduce(0) { $0 &+ $1.teamScore.ballCount }
        }

        mutating func add(_ other: Sum) {
            runs &+= other.runs
            balls &+= other.balls
        }

        /// Whether they are all there: only penalty runs may stand in the total and on no ball.
        func agrees(with total: RoanuzPlay.Innings?) -> Bool {
            let outside = (total?.score?.runs ?? 0).subtractingReportingOverflow(runs).partialValue
            return outside >= 0 && outside <= max(0, total?.extraRuns?.penalty ?? 0)
                && balls == total?.score?.balls ?? 0
        }
    }

    /// A few keys of a list: those whose pages are oldest, so that all have their turn; of these beginning anywhere.
    private func turn(_ keys: [String], _ start: Int, atMost max: Int) -> [String] {
        let turned = keys.indices.map { keys[(start + $0) % keys.count] }
        let aged = turned.enumerated().map { (stamp: stamps[$1] ?? .min, place: $0, key: $1) }
        return aged.sorted { ($0.stamp, $0.place) < ($1.stamp, $1.place) }.prefix(max).map(\.key)
    }

    private mutating func walk(from first: String?, _ replies: ProviderReplies) {
        var next = first
        while let key = next, hasRoom {
            guard !known.contains(key) else { return }
            takePassedOver(before: key, replies)
            guard let page = take(key, replies) else { return takeAll(before: key, replies) }
            next = page.previousOverKey
        }
    }

    /// Adds a page; returns nil, and notes that it is missing, when it is not held or is none.
    private mutating func take(_ key: String, _ replies: ProviderReplies) -> RoanuzPage? {
        known.insert(key)
        guard let page = try? Self.page(.balls(key), replies) else {
            missing.append(key)
            return nil
        }
        learn(from: page)
        keys.append(key)
        stamps[key] = try? Self.reply(.balls(key), replies).stamp
        found.append((.balls(key), page))
        return page
    }

    /// Adds the overs between a page and the one that it names before it.
    private mutating func takePassedOver(before key: String, _ replies: ProviderReplies) {
        guard let last = found.last?.page.over?.index, key.hasPrefix(last.innings + "_"),
            let number = Int(key.dropFirst(last.innings.count + 1)), number >= firstOver
        else { return }
        for over in stride(from: last.overNumber &- 1, to: number, by: -1) {
            guard hasRoom else { return }
            let between = "\(last.innings)_\(over)"
            if known.contains(between) { continue }
            // An empty reply stands for one that nobody has.
            if replies[.balls(between)]?.isEmpty == true {
                known.insert(between)
            } else if take(between, replies) == nil {
                passedOver.append(missing.removeLast())
            }
        }
    }

    /// Once keys are seen to be an innings and the number of an over, those of all overs before are known as well, and
    /// many can be asked for at once.
    private mutating func takeAll(before key: String, _ replies: ProviderReplies) {
        guard let last = found.last?.page.over?.index, key == "\(last.innings)_\(last.overNumber &- 1)" else { return }
        for over in stride(from: last.overNumber &- 2, through: firstOver, by: -1) {
            let earlier = "\(last.innings)_\(over)"
            if known.contains(earlier) || !hasRoom { return }
            _ = take(earlier, replies)
        }
    }

    /// Whether more pages may be looked for; numbers of a hostile page may be of any size.
    private var hasRoom: Bool { known.count < Self.pagesMax }

    /// Learns from where the keys of pages count: beside their number the balls have that of their over.
    private mutating func learn(from page: RoanuzPage) {
        guard let over = page.over, let ball = over.balls.first?.overs.first else { return }
        if over.index.overNumber == ball { firstOver = 0 }
    }

    /// Walks forward inside an innings: an over of which only a wide was bowled stands in no total of overs.
    private mutating func walkOn(
        from first: String,
        in innings: String,
        _ replies: ProviderReplies
    ) {
        var next = found.first { $0.part == .balls(first) }?.page.nextOverKey
        while let key = next, key.hasPrefix(innings + "_"), !known.contains(key), hasRoom {
            guard let page = take(key, replies) else { return }
            next = page.nextOverKey
        }
    }

    /// Reads a page that has come.
    static func page(_ part: ReplyPart, _ replies: ProviderReplies) throws(AdapterError) -> RoanuzPage {
        guard replies[part] != nil else { throw .missing(path: "reply \(part)") }
        do throws(AdapterError) {
            return try reply(part, replies).content()
        } catch {
            throw error.at(part)
        }
    }

    private static func reply(
        _ part: ReplyPart,
        _ replies: ProviderReplies
    ) throws(AdapterError) -> RoanuzReply<RoanuzPage> {
        try replies.read(RoanuzReply<RoanuzPage>.self, part)
    }

    private static func hasBalls(_ match: RoanuzMatch, _ innings: String) -> Bool {
        guard let given = match.play?.innings?[innings] else { return false }
        return (given.overs?.reduce(0, +) ?? 0) > 0 || (given.score?.runs ?? 0) > 0
    }

    /// The over in which the last ball was bowled: of `[46, 4]` it is 46, of `[47, 0]` too.
    private static func lastOver(_ match: RoanuzMatch, _ innings: String) -> Int? {
        guard let overs = match.play?.innings?[innings]?.overs, overs.count == 2, overs[0] >= 0 else { return nil }
        return overs[1] == 0 ? max(0, overs[0] - 1) : overs[0]
    }
}

extension ReplyPart {
    /// The newest over of balls.
    static let balls: ReplyPart = "balls"
    /// One over of balls by its key.
    static func balls(_ key: String) -> ReplyPart { ReplyPart(rawValue: "balls.\(key)") }
    /// What signing in brings.
    static let token: ReplyPart = "token"
}
