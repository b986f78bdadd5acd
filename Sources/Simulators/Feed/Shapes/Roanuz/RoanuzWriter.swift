// A match as Roanuz sends it: its frame and totals in one reply, its balls in pages.

import MatchEngine
import ScoreTypes

/// Writes the replies about a match.
struct RoanuzWriter: Sendable {
    let match: ShownMatch
    let score: ShownScore
    /// Keys of innings in order of play.
    let order: [String]
    /// Rows by page, pages in order of play; overs from 1.
    let overs: [(key: String, innings: Int, over: Int, rows: [RoanuzRow])]

    /// Keys of all pages, in order of play.
    var pages: [String] { overs.map(\.key) }
    private var info: MatchInfo { score.snapshot.info }

    init(_ match: ShownMatch, _ score: ShownScore) {
        self.match = match
        self.score = score
        var order: [String] = []
        var overs: [(key: String, innings: Int, over: Int, rows: [RoanuzRow])] = []
        for frame in score.snapshot.innings {
            let before = score.snapshot.innings.prefix { $0.ordinal < frame.ordinal }.filter {
                $0.batting == frame.batting && ($0.superOver == nil) == (frame.superOver == nil)
            }
            let number =
                frame.superOver == nil
                ? "\(before.count + 1)" : "superover\(before.isEmpty ? "" : "_\(before.count + 1)")"
            let key = "\(frame.batting.roanuzLetter)_\(number)"
            order.append(key)
            let rows = RoanuzRow.rows(of: score.balls[frame.ordinal] ?? [], innings: order.count)
            for (over, rows) in Dictionary(grouping: rows, by: \.over).sorted(by: { $0.key < $1.key }) {
                // Pages count from 1 what their balls count from 0.
                overs.append(("\(key)_\(over + 1)", order.count, over + 1, rows))
            }
        }
        self.order = order
        self.overs = overs
    }

    // MARK: Replies

    func whole(to json: inout JSONWriter) {
        frame(to: &json)
        json.field("play_status", match.status.roanuzWord)
        json.object("play") { RoanuzPlayWriter(match: self).write(to: &$0) }
        writePeople(to: &json)
        writeSquads(to: &json)
        json.object("data_review") { review in
            review.field("score", match.isFinal)
            review.null("score_reviewed_ball_index")
        }
    }

    func page(at index: Int, to json: inout JSONWriter) {
        let over = overs[index]
        json.object("over") { page in
            page.object("index") { place in
                place.field("innings", order[over.innings - 1])
                place.field("over_number", over.over)
            }
            page.objects("balls", over.rows) { RoanuzBallWriter(match: self).write($0, to: &$1) }
        }
        json.field("previous_over_key", orNull: index > 0 ? overs[index - 1].key : nil)
        json.field("next_over_key", orNull: index + 1 < overs.count ? overs[index + 1].key : nil)
    }

    // MARK: Frame

    /// The common fields of lists and matches; lists have no state of play.
    func frame(to json: inout JSONWriter) {
        json.field("key", match.id.text)
        json.field("name", "\(score.team(.first)) vs \(score.team(.second))")
        let isOver = score.state.phase == .over
        json.field("status", isOver ? "completed" : score.state.phase == .scheduled ? "not_started" : "started")
        json.field("start_at", match.startsAt)
        json.field("gender", info.isWomens ? "female" : "male")
        json.field("format", info.format.roanuzWord)
        if let competition = info.competition {
            json.object("tournament") { $0.field("name", competition) }
        }
        if let venue = info.venue {
            json.object("venue") { $0.field("name", venue) }
        }
        json.object("teams") {
            for side in Side.allCases { $0.object(dynamic: side.roanuzLetter) { writeTeam(side, to: &$0) } }
        }
        writeAssociation(to: &json)
        json.object("toss") { toss in
            toss.field("winner", orNull: info.toss?.winner.roanuzLetter)
            toss.field("elected", orNull: info.toss.map { $0.decision == .bat ? "bat" : "bowl" })
        }
    }

    private var isInternational: Bool { info.format == .t20i || info.format == .odi }

    private func writeTeam(_ side: Side, to json: inout JSONWriter) {
        let nation = RoanuzNation(score.team(side), isNational: isInternational)
        json.field("key", nation.key)
        json.field("code", "")
        json.field("name", score.team(side))
        json.field("country_code", nation.country)
    }

    /// Nations that are not well known meet in qualifiers of the council.
    private func writeAssociation(to json: inout JSONWriter) {
        let isWellKnown = Side.allCases.allSatisfy { info.team($0).isNation }
        guard isInternational, !isWellKnown else { return json.null("association") }
        json.object("association") { body in
            body.field("code", "ICC")
            body.field("name", "International Cricket Council")
        }
    }

    // MARK: People

    /// The key of a person: what the register has, else letters of the name.
    func key(_ id: String) -> String {
        if id.utf8.count == 8, Int(id, radix: 16) != nil { return "c__\(id)" }
        let plain = id.lowercased().split { !$0.isASCII || !$0.isLetter && !$0.isNumber }.joined(separator: "_")
        // Two names may have the same letters; the number of them all keeps the keys apart.
        return "c__\(plain)__\(id.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xffff_ffff })"
    }

    /// The key of a person by name.
    func key(named name: String) -> String { key(match.document.personID(name)) }

    /// Names by key: the elevens, and everybody who had a part in the play.
    private var names: [String: String] {
        var found: [String: String] = [:]
        for player in Side.allCases.flatMap({ info.team($0).players }) { found[key(player.id)] = player.name }
        for player in score.state.innings.flatMap({ $0.batters.map(\.player) + $0.bowlers.map(\.player) }) {
            found[key(player.id)] = player.name
        }
        for delivery in score.snapshot.deliveries where !delivery.dismissals.isEmpty {
            for dismissal in delivery.dismissals {
                found[key(dismissal.out.id)] = dismissal.out.name
                for name in dismissal.fielders.compactMap(\.name) { found[key(named: name)] = name }
            }
        }
        for replacement in score.snapshot.deliveries.flatMap(\.replacements) {
            found[key(replacement.incoming.id)] = replacement.incoming.name
        }
        for player in score.snapshot.innings.flatMap(\.absent) { found[key(player.id)] = player.name }
        for name in score.snapshot.result?.playersOfMatch ?? [] { found[key(named: name)] = name }
        return found
    }

    private func writePeople(to json: inout JSONWriter) {
        var cards: [String: [(number: String, line: BatterLine, fall: Int?)]] = [:]
        for (index, card) in score.state.innings.enumerated() where order.indices.contains(index) {
            let number = String(order[index].dropFirst(2))
            for (row, line) in card.batters.enumerated() {
                let fall = card.falls.first { $0.batter == row }?.runs
                cards[key(line.player.id), default: []].append((number, line, fall))
            }
        }
        json.object("players") { players in
            for (key, name) in names.sorted(by: { $0.key < $1.key }) {
                players.object(dynamic: key) { entry in
                    entry.object("player") { person in
                        person.field("key", key)
                        person.field("name", name)
                    }
                    entry.object("score") { scores in
                        for (number, line, fall) in cards[key] ?? [] {
                            scores.object(dynamic: number) { write(line, fall, to: &$0) }
                        }
                    }
                }
            }
        }
    }

    private func write(_ line: BatterLine, _ fall: Int?, to json: inout JSONWriter) {
        json.object("batting") { batting in
            batting.object("score") { score in
                score.field("runs", line.runs)
                score.field("balls", line.balls)
                score.field("fours", line.fours)
                score.field("sixes", line.sixes)
            }
            guard line.status != .batting else { return batting.null("dismissal") }
            batting.object("dismissal") { dismissal in
                dismissal.field("msg", line.howOut)
                dismissal.field("team_runs", orNull: fall)
            }
        }
    }

    private func writeSquads(to json: inout JSONWriter) {
        json.object("squad") {
            for side in Side.allCases { $0.object(dynamic: side.roanuzLetter) { write(side, to: &$0) } }
        }
    }

    private func write(_ side: Side, to squad: inout JSONWriter) {
        let made = score.snapshot.deliveries.flatMap(\.replacements).filter { $0.scope == .match && $0.side == side }
        let keys = info.team(side).players.map { key($0.id) }
        let came = Set(made.map { key($0.incoming.id) })
        squad.strings("player_keys", keys)
        squad.strings("playing_xi", keys.filter { !came.contains($0) })
        squad.objects("replacements", made) { replacement, entry in
            entry.field("player_in", key(replacement.incoming.id))
            entry.field("player_out", orNull: replacement.outgoing.map { key($0.id) })
            entry.field("in_innings", true)
            let isConcussion = replacement.reason == .concussion
            entry.field("replacement_reason", isConcussion ? "concussion_substitute" : "substitute")
        }
    }
}
