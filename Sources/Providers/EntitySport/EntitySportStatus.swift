// Two numbers tell what a match is doing: `status` how far it is, `game_state` what goes on while it is live.

internal import MatchEngine

/// Reads status and result.
enum EntitySportStatus {
    /// The status and the provider's words for it.
    static func report(
        of match: EntitySportMatch,
        isSuperOver: Bool,
        hasBalls: Bool
    ) throws(AdapterError) -> StatusReport {
        let status = try status(of: match, isSuperOver: isSuperOver, hasBalls: hasBalls)
        let isUnknown = match.status.whole == 3 && !states.contains(match.gameState?.whole ?? 0)
        // While play is on the note tells the chase anew with every ball, which the content does already.
        let isInPlay = (status == .live || status == .superOver) && !isUnknown
        let words = isInPlay ? nil : [match.statusNote, match.gameStateText].compactMap(\.self).first { !$0.isEmpty }
        return StatusReport(status: status, note: words.map { FeedText.clean($0) }, isUnknown: isUnknown)
    }

    /// The states that a match in play is known to have.
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
        case 2: return ended(match)
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

    /// A state that no table has implies play by the provider's first word: it counts where no status is known yet.
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

    private static func ended(_ match: EntitySportMatch) -> MatchStatus {
        let sentence = sentence(of: match)
        switch sentence?.kind {
        case .tie: return sentence?.tieBreakWinner == nil ? .tied : .result
        case .draw: return .drawn
        case .noResult: return .noResult
        case .awarded: return .awarded
        default: return .result
        }
    }

    /// The sentence that tells the end; nil when none does.
    static func sentence(of match: EntitySportMatch) -> ResultSentence? {
        let teams = [match.teamA, match.teamB]
        return [match.result, match.statusNote].compactMap(\.self).lazy.map { text in
            ResultSentence(text, teams: teams.map(\.name), shortNames: teams.map(\.shortName))
        }.first { $0.kind != nil }
    }
}
