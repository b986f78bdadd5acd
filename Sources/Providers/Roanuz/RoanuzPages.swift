// Balls come one over a page; the match names only the newest page, and each page the one before.

internal import MatchEngine
internal import ScoreTypes

/// The pages of a match: held and missing.
struct RoanuzPages {
    /// The page of the newest over, compared with the match.
    enum NewestPage: Sendable, Hashable {
        /// It is as new as the match.
        case current
        /// It is older, so that balls of the totals may be missing on it.
        case older
        /// It is older, and the match shows a ball that is on no page.
        case lackingBall
    }

    /// Keys of missing pages, without which the match cannot be read.
    private(set) var missing: [String] = []
    /// Keys of pages that other pages skip: requested, and not required where the provider has none.
    private(set) var passedOver: [String] = []
    private var found: [Held] = []
    /// The time of the page of the newest over in milliseconds since 1970; nil when unknown.
    private var newestMadeAt: Int64?
    /// Keys that are held or missing.
    private var known: Set<String> = []
    /// The number of the first over in the keys of pages; 1 unless a page with balls shows another.
    private var firstOver = 1

    /// A page that is held.
    private struct Held {
        let part: ReplyPart
        /// Its key; nil for the page of the newest over.
        let key: String?
        let page: RoanuzPage
        /// The time of its reply, which compares the ages of pages.
        let stamp: Int64?
    }

    /// Follows the pages of a match.
    ///
    /// - Throws: `AdapterError` when the newest page is missing or cannot be read.
    init(_ match: RoanuzMatch, _ order: [String], _ replies: ProviderReplies) throws(AdapterError) {
        guard match.hasPages, order.contains(where: { Self.hasBalls(match, $0) }) else { return }
        let newest = try Self.page(.balls, replies)
        let edits = newest.over?.balls.compactMap(\.updatedTime?.value)
        let reply = try Self.reply(.balls, replies)
        newestMadeAt = reply.madeAt(showing: edits?.max())
        found.append(Held(part: .balls, key: nil, page: newest, stamp: reply.stamp))
        learn(from: newest)
        walk(from: newest.previousOverKey, replies)
        // The chain may end with the first over of an innings: each earlier innings has its own chain.
        for innings in order.reversed() where Self.hasBalls(match, innings) {
            let isCovered = found.contains { $0.page.over?.index.innings == innings }
            let isUnknown = missing.contains { $0.hasPrefix(innings + "_") }
            guard !isCovered, !isUnknown, let last = Self.lastOver(match, innings) else { continue }
            walk(from: "\(innings)_\(last + firstOver)", replies)
            walkOn(from: "\(innings)_\(last + firstOver)", in: innings, replies)
        }
    }

    /// Compares the page of the newest over with the match.
    func newestPage(beside match: RoanuzMatch, madeAt: Int64?) -> NewestPage {
        guard isOlder(than: match, madeAt: madeAt) else { return .current }
        let related = match.play?.relatedBalls ?? [:]
        let held = Set(found.flatMap { $0.page.over?.balls.map(\.key) ?? [] })
        return related.keys.allSatisfy { held.contains($0) } ? .older : .lackingBall
    }

    /// Whether the page of the newest over is older than the match.
    ///
    /// `madeAt` is the time of the match in milliseconds since 1970. Without both times the page is older when the
    /// match repeats a ball of that over in a newer state, or a later ball; removed balls do not show. A page that has
    /// lost its balls is older than any match.
    private func isOlder(than match: RoanuzMatch, madeAt: Int64?) -> Bool {
        if let newestMadeAt, let madeAt { return newestMadeAt < madeAt }
        guard let balls = found.first?.page.over?.balls else { return false }
        if balls.isEmpty { return true }
        let places = balls.compactMap { RoanuzBallKey($0.key)?.number }
        guard let first = places.min(), let last = places.max() else { return false }
        let editedAt = Dictionary(balls.map { ($0.key, $0.updatedTime?.value ?? 0) }) { one, _ in one }
        return (match.play?.relatedBalls ?? [:]).contains { key, ball in
            guard let place = RoanuzBallKey(key)?.number, place >= first else { return false }
            return place > last || editedAt[key].map { $0 < ball.updatedTime?.value ?? 0 } ?? false
        }
    }

    /// The key of the page of an over, from 0; nil for the newest over, and for a page that is not held.
    func key(of over: Int, in innings: String) -> String? {
        let held = found.first { one in
            guard let held = one.page.over, held.index.innings == innings else { return false }
            guard let ball = held.balls.first else { return held.index.overNumber == over + firstOver }
            return ball.overs.first == over
        }
        return held?.key
    }

    /// The overs of the pages, each once, the newest first.
    ///
    /// The newest page may also be held under its own key, in an older state.
    var overs: [(part: ReplyPart, over: RoanuzPage.Over)] {
        var seen: Set<String> = []
        return found.compactMap { held in
            guard let over = held.page.over else { return nil }
            return seen.insert("\(over.index.innings)_\(over.index.overNumber)").inserted ? (held.part, over) : nil
        }
    }

    /// The newer one of two states of a ball.
    static func newest(_ ball: RoanuzBall, _ related: [String: RoanuzBall]) -> RoanuzBall {
        guard let other = related[ball.key] else { return ball }
        return (other.updatedTime?.value ?? 0) > (ball.updatedTime?.value ?? 0) ? other : ball
    }

    /// Returns keys of pages to request again: the oldest replies first, and equally old ones from `start` on.
    ///
    /// First come pages whose batters differ from the scorecard. Then come a few pages of each innings whose balls do
    /// not add up to its total; incomplete overs precede complete ones.
    func suspect(_ match: RoanuzMatch, startingAt start: Int) -> [String] {
        // The numbers of a hostile page may wrap around; they match nothing then.
        var sums: [String: (runs: Int, balls: Int)] = [:]
        var broken: Set<ReplyPart> = []
        let ballsPerOver = (try? RoanuzFrame(match: match).format())?.ballsPerOver ?? RuleSet.usualBallsPerOver
        for held in found {
            guard let over = held.page.over else { continue }
            let balls = over.balls.reduce(0) { $0 &+ $1.teamScore.ballCount }
            sums[over.index.innings, default: (0, 0)].balls &+= balls
            sums[over.index.innings, default: (0, 0)].runs &+= over.balls.reduce(0) { $0 &+ $1.teamScore.runs }
            if balls != ballsPerOver { broken.insert(held.part) }
        }
        let wrong = (match.play?.innings ?? [:]).filter { key, total in
            let sum = sums[key] ?? (0, 0)
            return !total.agrees(withRuns: sum.runs, balls: sum.balls)
        }
        .keys
        let mismatched = RoanuzMismatch(overs, match).parts
        let isOver = RoanuzStatus.word(match.playStatus).map(PlayPhase.init(of:)) == .over
        let older = found.filter { $0.key != nil }
        let first = turn(
            older.filter { mismatched.contains($0.part) },
            start,
            atMost: isOver ? AdapterLimits.mismatchedPagesAtEnd : AdapterLimits.mismatchedPages
        )
        guard !wrong.isEmpty else { return first }
        let own = older.filter { held in
            guard let key = held.key, !first.contains(key) else { return false }
            return wrong.contains { key.hasPrefix($0 + "_") }
        }
        // A ball that was missing when its over was requested is missing on that page only.
        return first + turn(own.filter { broken.contains($0.part) }, start, atMost: AdapterLimits.suspectPages)
            + turn(own.filter { !broken.contains($0.part) }, start, atMost: AdapterLimits.suspectPages)
    }

    /// A few keys of pages: the oldest replies first, so that all get their turn; equal ones from a varying offset on.
    private func turn(_ pages: [Held], _ start: Int, atMost max: Int) -> [String] {
        let turned = pages.indices.map { pages[(start + $0) % pages.count] }
        let aged = turned.enumerated().map { (stamp: $1.stamp ?? .min, place: $0, key: $1.key) }
        return aged.sorted { ($0.stamp, $0.place) < ($1.stamp, $1.place) }.prefix(max).compactMap(\.key)
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

    /// Adds a page; when it is not held or cannot be read, records it as missing and returns nil.
    private mutating func take(_ key: String, _ replies: ProviderReplies) -> RoanuzPage? {
        known.insert(key)
        let part = ReplyPart.balls(key)
        guard let reply = try? Self.reply(part, replies), let page = try? reply.content() else {
            missing.append(key)
            return nil
        }
        learn(from: page)
        found.append(Held(part: part, key: key, page: page, stamp: reply.stamp))
        return page
    }

    /// Adds the overs between a page and the page that it names.
    private mutating func takePassedOver(before key: String, _ replies: ProviderReplies) {
        guard let last = found.last?.page.over?.index, key.hasPrefix(last.innings + "_"),
            let number = Int(key.dropFirst(last.innings.count + 1)), number >= firstOver
        else { return }
        for over in stride(from: last.overNumber &- 1, to: number, by: -1) {
            guard hasRoom else { return }
            let between = "\(last.innings)_\(over)"
            if known.contains(between) { continue }
            // An empty reply stands for a page that the provider does not have.
            if replies[.balls(between)]?.isEmpty == true {
                known.insert(between)
            } else if take(between, replies) == nil {
                passedOver.append(missing.removeLast())
            }
        }
    }

    /// When keys are an innings and the number of an over, the keys of all earlier overs follow, and many are requested
    /// at once.
    private mutating func takeAll(before key: String, _ replies: ProviderReplies) {
        guard let last = found.last?.page.over?.index, key == "\(last.innings)_\(last.overNumber &- 1)" else { return }
        for over in stride(from: last.overNumber &- 2, through: firstOver, by: -1) {
            let earlier = "\(last.innings)_\(over)"
            if known.contains(earlier) || !hasRoom { return }
            _ = take(earlier, replies)
        }
    }

    /// Whether more pages may be added; the numbers of a hostile page may be of any size.
    private var hasRoom: Bool { known.count < AdapterLimits.overPages }

    /// Finds the number of the first over in keys of pages by comparing a key with the overs of its balls.
    private mutating func learn(from page: RoanuzPage) {
        guard let over = page.over, let ball = over.balls.first?.overs.first else { return }
        if over.index.overNumber == ball { firstOver = 0 }
    }

    /// Follows pages forward in an innings: an over with only a wide is in no total of overs.
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

    /// Reads a page that is held.
    static func page(_ part: ReplyPart, _ replies: ProviderReplies) throws(AdapterError) -> RoanuzPage {
        guard replies[part] != nil else { throw .missing(path: "reply \(part)") }
        return try AdapterError.within(part) { () throws(AdapterError) in try reply(part, replies).content() }
    }

    private static func reply(
        _ part: ReplyPart,
        _ replies: ProviderReplies
    ) throws(AdapterError) -> RoanuzReply<RoanuzPage> {
        try replies.read(RoanuzReply<RoanuzPage>.self, part)
    }

    private static func hasBalls(_ match: RoanuzMatch, _ innings: String) -> Bool {
        guard let given = match.play?.innings?[innings] else { return false }
        return given.overs?.contains { $0 > 0 } == true || (given.score?.runs ?? 0) > 0
    }

    /// The over in which the last ball was bowled: of `[46, 4]` it is 46, of `[47, 0]` too; nil for a number of overs
    /// that no innings has.
    private static func lastOver(_ match: RoanuzMatch, _ innings: String) -> Int? {
        guard let overs = match.play?.innings?[innings]?.overs, overs.count == 2,
            (0...AdapterLimits.overs).contains(overs[0])
        else { return nil }
        return overs[1] == 0 ? max(0, overs[0] - 1) : overs[0]
    }
}

extension ReplyPart {
    /// The newest over of balls.
    static let balls: ReplyPart = "balls"
    /// One over of balls by its key.
    static func balls(_ key: String) -> ReplyPart { ReplyPart(rawValue: "balls.\(key)") }
    /// The reply to the sign-in.
    static let token: ReplyPart = "token"
}
