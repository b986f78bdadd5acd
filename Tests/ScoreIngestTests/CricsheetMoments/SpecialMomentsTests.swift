// Rare feats of real matches, against an independent list of them.

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
struct SpecialMomentsTests {
    /// Each match of the special archive has exactly the listed hat-tricks, sixes, reviews and substitutes.
    @Test func exactlyTheListedFeatsAreFound() throws {
        let matches = try RecordedMatches.read(.special)
        #expect(matches.count == 287)
        let listed = try Self.listed(in: Set(matches.keys))
        var found: [Feat: Int] = [:]
        for (id, match) in matches {
            let replica = match.replica
            for moment in replica.state.moments {
                for feat in Feat.feats(of: moment, match: id, in: replica) { found[feat, default: 0] += 1 }
            }
            expectEveryCardAgrees(replica.state, id)
        }
        for feat in Set(found.keys).union(listed.keys) {
            #expect(found[feat] == listed[feat], "\(feat)")
        }
        let counts = Dictionary(grouping: listed.keys, by: \.name).mapValues { $0.reduce(0) { $0 + (listed[$1] ?? 0) } }
        #expect(counts["hat_trick"] == 13 && counts["four_in_four"] == 2 && counts["six_sixes_in_over"] == 3)
    }

    /// Every match of the whole archive with one of these in the list.
    @Test func everyRecordedHatTrickIsFound() throws {
        let listed = try Self.listed(in: nil).filter { Self.streakCases.contains($0.key.name) }
        let rows = listed.values.reduce(0, +)
        #expect(rows == 348)
        var found: [Feat: Int] = [:]
        for (id, match) in try RecordedMatches.read(.matches, ids: Set(listed.keys.map(\.match))) {
            let replica = match.replica
            for moment in replica.state.moments {
                for feat in Feat.feats(of: moment, match: id, in: replica) where Self.streakCases.contains(feat.name) {
                    found[feat, default: 0] += 1
                }
            }
        }
        for feat in Set(found.keys).union(listed.keys) {
            #expect(found[feat] == listed[feat], "\(feat)")
        }
    }

    private static let streakCases: Set = ["hat_trick", "four_in_four", "six_sixes_in_over"]

    /// Milestones against the final card of each innings: each one found once.
    private func expectEveryCardAgrees(_ state: MatchState, _ id: String) {
        for card in state.innings where !card.isSuperOver {
            let announced = card.moments
            let keys = announced.map(\.key)
            #expect(Set(keys).count == keys.count, "match \(id)")
            #expect(announced.count { $0.kind == .wicket } == card.wickets, "match \(id)")
            #expect(announced.count { $0.kind == .maiden } == card.bowlers.reduce(0) { $0 + $1.maidens }, "match \(id)")
            let fives = card.bowlers.reduce(0) { $0 + max(0, $1.wickets - 4) }
            #expect(announced.count { $0.kind == .fiveWickets } == fives, "match \(id)")
            let fifties = card.batters.reduce(0) { $0 + $1.runs / 50 }
            #expect(announced.count { $0.kind == .fifty || $0.kind == .hundred } == fifties, "match \(id)")
            let team = (card.runs - card.info.penaltyAfter) / 50 - card.info.penaltyBefore / 50
            #expect(announced.count { $0.kind == .teamMilestone } == team, "match \(id)")
            let stands = card.partnerships.reduce(0) { $0 + $1.runs / 50 }
            #expect(announced.count { $0.kind == .partnership } == stands, "match \(id)")
        }
    }

    private static let listedCases: Set = [
        "hat_trick", "four_in_four", "six_sixes_in_over", "replacement:match:concussion_substitute",
        "replacement:match:impact_player", "replacement:match:supersub", "review:upheld", "review:struck down",
        "review:struck down umpires_call", "review:technical failure",
    ]

    /// Rows of the list, counted by match and case; of all matches when `ids` is nil.
    private static func listed(in ids: Set<String>?) throws -> [Feat: Int] {
        var found: [Feat: Int] = [:]
        for line in try RecordedData.rows("cricsheet/special_cases.csv") {
            let fields = line.split(separator: ",", maxSplits: 2).map(String.init)
            guard fields.count == 3, listedCases.contains(fields[0]), ids?.contains(fields[1]) != false else {
                continue
            }
            let detail = fields[0].hasPrefix("re") ? "" : detail(fields[2])
            found[Feat(name: fields[0], match: fields[1], detail: detail), default: 0] += 1
        }
        return found
    }

    /// `inn2 Imran Tahir` of `… inn2 14.4 Imran Tahir`; `inn1` for six sixes.
    private static func detail(_ text: String) -> String {
        let words = text.trimming("\"").split(separator: " ")
        guard let at = words.lastIndex(where: { $0.hasPrefix("inn") && Int($0.dropFirst(3)) != nil }) else { return "" }
        let rest = words[(at + 1)...]
        if rest.first?.hasPrefix("over") == true { return String(words[at]) }
        return ([words[at]] + rest.dropFirst()).joined(separator: " ")
    }
}

/// One rare feat of a match.
private struct Feat: Hashable {
    let name: String
    let match: String
    let detail: String

    init(name: String, match: String, detail: String) {
        self.name = name
        self.match = match
        self.detail = detail
    }

    /// The feats of the list for a moment; its four in four is also a second hat-trick, of the last three.
    static func feats(of moment: Moment, match: String, in replica: MatchReplica) -> [Feat] {
        guard let feat = Feat(moment, match: match, in: replica) else { return [] }
        let isFour = moment.kind == .fourInFour
        return isFour ? [feat, Feat(name: "hat_trick", match: match, detail: feat.detail)] : [feat]
    }

    /// The feat of a moment; nil when it is none of the listed ones.
    private init?(_ moment: Moment, match: String, in replica: MatchReplica) {
        self.match = match
        switch moment.kind {
        case .hatTrick, .fourInFour:
            name = moment.kind == .hatTrick ? "hat_trick" : "four_in_four"
            let bowler = moment.delivery.flatMap(replica.record.delivery)?.bowler.name ?? ""
            detail = "inn\(moment.innings) \(bowler)"
        case .sixSixes:
            name = "six_sixes_in_over"
            detail = "inn\(moment.innings)"
        case .review:
            detail = ""
            switch moment.title {
            case "Decision overturned": name = "review:upheld"
            case "Umpire's call": name = "review:struck down umpires_call"
            case _ where moment.body.contains("not possible"): name = "review:technical failure"
            default: name = "review:struck down"
            }
        case .substitute:
            let names = [
                "Concussion substitute": "concussion_substitute", "Impact player": "impact_player",
                "Supersub": "supersub",
            ]
            guard let word = names[moment.title] else { return nil }
            name = "replacement:match:\(word)"
            detail = ""
        default: return nil
        }
    }
}

extension String {
    fileprivate func trimming(_ mark: Character) -> Substring {
        var text = self[...]
        while text.first == mark { text.removeFirst() }
        while text.last == mark { text.removeLast() }
        return text
    }
}
