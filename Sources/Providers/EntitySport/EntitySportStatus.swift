// The status is two numbers: `status` is the phase of the match, `game_state` details a live match.

internal import MatchEngine
internal import ScoreTypes

/// Reads status and result.
enum EntitySportStatus {
    /// The status, and the provider's note.
    static func report(
        of match: EntitySportMatch,
        isSuperOver: Bool,
        hasBalls: Bool
    ) throws(AdapterError) -> StatusReport {
        let status = try status(of: match, isSuperOver: isSuperOver, hasBalls: hasBalls)
        let isUnknown = match.status.whole == 3 && !states.contains(match.gameState?.whole ?? 0)
        // During play the note repeats the chase with every ball, which the content state has already.
        let isInPlay = (status == .live || status == .superOver) && !isUnknown
        let words = isInPlay ? nil : [match.statusNote, match.gameStateStr].compactMap(\.self).first { !$0.isEmpty }
        return StatusReport(status: status, note: words.map { SafeText.clean($0) }, isUnknown: isUnknown)
    }

    /// The known states of a live match.
    private static let states = 0...9

    /// The status alone.
    static func status(
        of match: EntitySportMatch,
        isSuperOver: Bool,
        hasBalls: Bool
    ) throws(AdapterError) -> MatchStatus {
        let state = match.gameState?.whole ?? 0
        switch match.status.whole {
        case 1: return beforeStart(state)
        case 2:
            let sentence = sentence(of: match)
            return MatchStatus(ended: sentence?.kind, isTieBroken: sentence?.tieBreakWinner != nil)
        case 3: return live(state, isSuperOver: isSuperOver, hasBalls: hasBalls)
        case 4: return hasBalls ? .noResult : .abandonedNoBall
        default: throw .unknownWord(path: "match:response.status", word: String(match.status.value))
        }
    }

    private static func beforeStart(_ state: Int) -> MatchStatus {
        switch state {
        case 2: .toss
        case 4: .startDelayed
        default: .scheduled
        }
    }

    /// An unknown state of a live match counts as play.
    private static func live(_ state: Int, isSuperOver: Bool, hasBalls: Bool) -> MatchStatus {
        switch state {
        case 1, 2: hasBalls ? .live : .toss
        case 4: hasBalls ? .suspended : .startDelayed
        case 5: .drinks
        case 6: isSuperOver ? .superOverBreak : .inningsBreak
        case 7: .stumps
        case 8: .lunch
        case 9: .tea
        default: isSuperOver ? .superOver : .live
        }
    }

    /// The sentence with the result; nil when there is none.
    static func sentence(of match: EntitySportMatch) -> ResultSentence? {
        let teams = [match.teama, match.teamb]
        return [match.result, match.statusNote].compactMap(\.self).lazy.map { text in
            ResultSentence(text, teams: teams.map(\.name), shortNames: teams.map(\.shortName))
        }.first { $0.kind != nil }
    }
}
