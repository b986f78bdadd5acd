// Sportmonks says what a match does in short words, some of which only the balls and the result make plain.

internal import MatchEngine

/// Reads `status`.
enum SportmonksStatus {
    /// What a word alone says, as lists of fixtures have it; nil for one that is not known.
    static func word(_ word: String) -> MatchStatus? {
        switch word.lowercased() {
        case "ns", "not started": return .scheduled
        case "innings break": return .inningsBreak
        case "lunch": return .lunch
        case "tea break", "tea": return .tea
        case "dinner": return .dinner
        case "delayed": return .startDelayed
        case "int.", "int": return .suspended
        case "aban.", "aban": return .abandoned
        case "cancl.", "cancl": return .cancelled
        case "postp.", "postp": return .postponed
        case "super over": return .superOver
        case "finished": return .result
        default: break
        }
        if day(word) != nil { return .stumps }
        return innings(word).map { $0 > 4 ? .superOver : .live }
    }

    /// The status of a match with its balls and result; an unknown word is shown and otherwise passed over.
    static func report(
        of fixture: SportmonksFixture,
        format: Format,
        innings: [InningsFact],
        result: ProviderResult?
    ) -> StatusReport {
        let note = fixture.note.map(FeedText.clean).flatMap { $0.isEmpty ? nil : $0 }
        guard let word = word(fixture.status) else {
            let implied = implied(by: innings, result: result)
            return StatusReport(status: implied, note: note ?? FeedText.clean(fixture.status))
        }
        let status = plain(word, format: format, innings: innings, result: result)
        return StatusReport(status: status, note: note, day: day(fixture.status))
    }

    /// What is known of an innings when the status is read.
    struct InningsFact {
        let isSuperOver: Bool
        let hasBalls: Bool
    }

    private static func plain(
        _ word: MatchStatus,
        format: Format,
        innings: [InningsFact],
        result: ProviderResult?
    ) -> MatchStatus {
        let hasBalls = innings.contains(where: \.hasBalls)
        let isInSuperOver = innings.last?.isSuperOver == true
        let ordinaryDone = innings.count { !$0.isSuperOver && $0.hasBalls } >= (format.isLimitedOvers ? 2 : 4)
        switch word {
        case .live: return isInSuperOver ? .superOver : .live
        case .inningsBreak: return ordinaryDone ? .superOverBreak : .inningsBreak
        // One word for both: before the first ball it is the start that is late.
        case .startDelayed: return hasBalls ? .suspended : .startDelayed
        case .abandoned: return hasBalls ? .abandoned : .abandonedNoBall
        case .result: return final(result)
        default: return word
        }
    }

    private static func final(_ result: ProviderResult?) -> MatchStatus {
        switch result?.kind {
        case .draw: .drawn
        case .noResult: .noResult
        case .awarded: .awarded
        case .tie: result?.tieBreakWinner == nil ? .tied : .result
        default: .result
        }
    }

    private static func implied(by innings: [InningsFact], result: ProviderResult?) -> MatchStatus {
        if let result { return final(result) }
        guard let last = innings.last(where: \.hasBalls) else { return .scheduled }
        return last.isSuperOver ? .superOver : .live
    }

    /// 3 of `Stump Day 3`.
    private static func day(_ word: String) -> Int? {
        guard word.lowercased().hasPrefix("stump"), let last = word.split(separator: " ").last else { return nil }
        return Int(last).flatMap { (1...9).contains($0) ? $0 : nil }
    }

    /// 2 of `2nd Innings`.
    private static func innings(_ word: String) -> Int? {
        guard word.lowercased().hasSuffix(" innings") else { return nil }
        return Int(word.prefix { $0.isNumber }).flatMap {
            (1...SportmonksInningsOrder.numberMax).contains($0) ? $0 : nil
        }
    }
}
