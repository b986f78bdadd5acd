// The meaning of some values of `status` depends on the balls and the result.

internal import MatchEngine
internal import ScoreTypes

/// Reads `status`.
enum SportmonksStatus {
    /// The status of a value alone, as in lists of fixtures; nil for an unknown one.
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

    /// The status of a match with its balls and result; with an unknown value, which is shown, it follows from the
    /// balls.
    ///
    /// `open` are the innings, the newest not closed.
    static func report(
        of fixture: SportmonksFixture,
        _ info: MatchInfo,
        open: [InningsInfo],
        _ deliveries: [Delivery],
        result: ProviderResult?
    ) -> StatusReport {
        let note = fixture.note.map(SafeText.clean).flatMap { $0.isEmpty ? nil : $0 }
        guard let word = word(fixture.status) else {
            let implied = implied(by: open, deliveries, result: result)
            return StatusReport(status: implied, note: note ?? SafeText.clean(fixture.status), isUnknown: true)
        }
        let hasBegun = !deliveries.isEmpty || open.contains { $0.reported?.isBegun == true }
        let status: MatchStatus
        switch word {
        case .live: status = open.last?.superOver == nil ? .live : .superOver
        case .inningsBreak: status = SportmonksBreak.status(info, open, deliveries)
        // One value for both: before the first ball it is a late start.
        case .startDelayed: status = hasBegun ? .suspended : .startDelayed
        case .abandoned: status = hasBegun ? .abandoned : .abandonedNoBall
        case .result: status = MatchStatus(ended: result)
        default: status = word
        }
        return StatusReport(status: status, note: note, day: day(fixture.status))
    }

    private static func implied(
        by open: [InningsInfo],
        _ deliveries: [Delivery],
        result: ProviderResult?
    ) -> MatchStatus {
        if let result { return MatchStatus(ended: result) }
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
        return Int(word.prefix { $0.isNumber }).flatMap { (1...AdapterLimits.innings).contains($0) ? $0 : nil }
    }
}
