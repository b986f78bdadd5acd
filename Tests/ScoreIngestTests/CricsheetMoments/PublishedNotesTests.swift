// Notes that scorers wrote during the match, compared with the moments of the same balls.

import Foundation
import MatchEngine
import ScoreTypes
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite(.needsRecordedMatches)
struct PublishedNotesTests {
    /// Team fifties, batters' fifties and partnerships.
    @Test func everyNoteOfATestIsReproduced() throws {
        let match = try #require(try RecordedMatches.read(.special, ids: ["1426555"])["1426555"])
        let notes = try #require(
            try RecordedData.object("feeds/espn_site/match/1426555.json")["notes"] as? [[String: Any]]
        )
        let wanted = notes.compactMap { $0["text"] as? String }.filter {
            $0.contains(" runs in ") || $0.contains(" off ")
        }
        let ours = ReachedNote.all(of: match).map { $0.text(style: .espn, names: Self.spelling) }
        #expect(ours.sorted() == wanted.sorted())
        #expect(wanted.count == 34)
    }

    /// The two notes on each innings' powerplay, its fifties and partnerships, and the innings break.
    @Test func everyNoteOfAShortMatchIsReproduced() throws {
        let match = try #require(try RecordedMatches.read(.special, ids: ["1136561"])["1136561"])
        let feed = try RecordedData.object("feeds/pulse_ipl/ipl2018_match1_scoring.json")
        let info = try #require((feed["matchInfo"] as? [String: Any])?["additionalInfo"] as? [String: Any])
        let wanted = info.filter { $0.key.hasPrefix("notes.") }.compactMap { $0.value as? String }
        var ours = ReachedNote.all(of: match).map { $0.text(style: .pulse, names: Self.fullNames) }
        let state = match.replica.state
        ours += state.moments.filter { $0.kind == .powerplayEnd }.map { moment in
            let score = moment.body.split(separator: " ")[1].split(separator: "/")
            return "Powerplay: \(score[0]) runs, \(score[1]) wickets"
        }
        ours += state.moments.filter { $0.kind == .inningsEnd }.map { moment in
            let body = moment.body.replacing("MI ", with: "Mumbai Indians - ").replacing(" (", with: " in ")
            return "Innings Break: " + body.replacing(" ov)", with: " overs")
        }
        #expect(ours.sorted() == wanted.sorted())
        #expect(wanted.count == 12)
    }

    /// Names that the two sources spell differently.
    private static let spelling = ["Nithish Kumar Reddy": "K Nitish Kumar Reddy"]
    private static let fullNames = [
        "Ishan Kishan": "Ishan Kishan", "SA Yadav": "Suryakumar Yadav", "HH Pandya": "Hardik Pandya",
        "KH Pandya": "Krunal Pandya", "DJ Bravo": "Dwayne Bravo",
    ]
}

/// A moment of a side, a batter or a pair, with the card at its ball.
struct ReachedNote {
    enum Style { case espn, pulse }

    let moment: Moment
    let card: InningsState
    let side: String

    /// All of a match, in order.
    static func all(of match: MatchSnapshot) -> [ReachedNote] {
        let kinds: Set<Moment.Kind> = [.teamMilestone, .fifty, .hundred, .partnership]
        let places = Dictionary(uniqueKeysWithValues: zip(match.deliveries.map(\.key), 1...))
        return match.replica.state.moments.filter { kinds.contains($0.kind) }.compactMap { moment in
            guard let ball = moment.delivery, let place = places[ball] else { return nil }
            let state = match.replica(through: place).state
            guard let card = state.currentInnings, state.moments.contains(moment) else { return nil }
            return ReachedNote(moment: moment, card: card, side: match.info.team(card.info.batting).name)
        }
    }

    /// The threshold, out of the moment's key: `t50:1`, `b100:2:…`.
    private var reached: String { String(moment.key.text.dropFirst().prefix { $0.isNumber }) }

    func text(style: Style, names: [String: String]) -> String {
        switch moment.kind {
        case .teamMilestone: team(style)
        case .partnership: stand(style, names)
        default: batter(style, names)
        }
    }

    private func team(_ style: Style) -> String {
        let overs = "\(card.oversCalled).\(card.legalInOver)"
        let head = "\(side): \(reached) runs in \(overs) overs"
        guard style == .espn else { return head }
        let balls = card.bowlers.reduce(card.deliveries) { $0 - $1.wideCount }
        return "\(head) (\(balls) balls), Extras \(card.extras.total)"
    }

    private func batter(_ style: Style, _ names: [String: String]) -> String {
        guard let line = card.batters.first(where: { $0.player.id == moment.subject }) else { return "nobody" }
        let (four, six) = style == .espn ? ("4", "6") : ("fours", "sixes")
        let shots = [(line.fours, four), (line.sixes, six)].filter { $0.0 > 0 }.map { "\($0.0) x \($0.1)" }
        let name = names[line.player.name] ?? line.player.name
        #expect(moment.body.hasSuffix("(\(line.balls) balls, \(line.fours)x4 \(line.sixes)x6)"))
        return "\(name): \(reached) off \(line.balls) balls (\(shots.joined(separator: ", ")))"
    }

    private func stand(_ style: Style, _ names: [String: String]) -> String {
        guard let stand = card.partnerships.last else { return "no stand" }
        let ordinals = [1: "1st", 2: "2nd", 3: "3rd"]
        let shares = [stand.first, stand.second].compactMap { share in share.batter.map { ($0, share.runs) } }
        var parts = shares.sorted { $0.0 < $1.0 }.map { batter, runs in
            let name = card.batters[batter].player.name
            return "\(names[name] ?? name) \(runs)"
        }
        if style == .espn { parts.append("Ex \(stand.extras)") }
        #expect(moment.body.contains("(\(stand.balls) balls"))
        let wicket = ordinals[stand.wicket] ?? "\(stand.wicket)th"
        return "\(wicket) Wicket: \(reached) runs in \(stand.balls) balls (\(parts.joined(separator: ", ")))"
    }
}
