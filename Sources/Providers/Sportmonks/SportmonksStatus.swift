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

    /// The status of a match with its balls and result; a word that is not known is shown, and what is told with it is
    /// only what the balls imply.
    ///
    /// `open` are the frames of the innings, of which the newest is not closed.
    static func report(
        of fixture: SportmonksFixture,
        _ info: MatchInfo,
        open: [InningsInfo],
        _ deliveries: [Delivery],
        result: ProviderResult?
    ) -> StatusReport {
        let note = fixture.note.map(FeedText.clean).flatMap { $0.isEmpty ? nil : $0 }
        guard let word = word(fixture.status) else {
            let implied = implied(by: open, deliveries, result: result)
            return StatusReport(status: implied, note: note ?? FeedText.clean(fixture.status), isUnknown: true)
        }
        let status: MatchStatus
        switch word {
        case .live: status = open.last?.superOver == nil ? .live : .superOver
        case .inningsBreak: status = SportmonksBreak.status(info, open, deliveries)
        // One word for both: before the first ball it is the start that is late.
        case .startDelayed: status = deliveries.isEmpty ? .startDelayed : .suspended
        case .abandoned: status = deliveries.isEmpty ? .abandonedNoBall : .abandoned
        case .result: status = final(result)
        default: status = word
        }
        return StatusReport(status: status, note: note, day: day(fixture.status))
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

    private static func implied(
        by open: [InningsInfo],
        _ deliveries: [Delivery],
        result: ProviderResult?
    ) -> MatchStatus {
        if let result { return final(result) }
        guard let newest = deliveries.last?.innings else { return .scheduled }
        return open.first { $0.ordinal == newest }?.superOver == nil ? .live : .superOver
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
