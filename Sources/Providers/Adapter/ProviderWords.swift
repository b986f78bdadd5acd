// Providers write formats, dismissals and ends of matches alike, but for case, blanks and a few spellings.

internal import MatchEngine

extension DismissalKind {
    /// The kind that a provider's word names, whatever its case, blanks and underscores; nil for an unknown word.
    init?(word: some StringProtocol) {
        guard let kind = Self.words[word.lowercased().filter(\.isLetter)] else { return nil }
        self = kind
    }

    /// `cought` is a provider's spelling.
    private static let words: [String: DismissalKind] = [
        "bowled": .bowled, "cleanbowled": .bowled, "lbw": .lbw, "lbwout": .lbw, "caught": .caught, "cought": .caught,
        "catchout": .caught, "caughtandbowled": .caughtAndBowled, "stumped": .stumped, "stumpout": .stumped,
        "hitwicket": .hitWicket, "hitwicketout": .hitWicket, "runout": .runOut,
        "obstructingthefield": .obstructingTheField, "obstructingfield": .obstructingTheField,
        "obstructingthefieldout": .obstructingTheField, "hittheballtwice": .hitTheBallTwice,
        "hitballtwice": .hitTheBallTwice, "hittheballtwiceout": .hitTheBallTwice, "timedout": .timedOut,
        "timedoutout": .timedOut, "handledtheball": .handledTheBall, "handledball": .handledTheBall,
        "handledtheballout": .handledTheBall, "retired": .retiredHurt, "retiredhurt": .retiredHurt,
        "retiredout": .retiredOut, "retirednotout": .retiredNotOut,
    ]
}

extension Format {
    /// The format that a provider's word names, whatever its case, blanks and punctuation; nil for an unknown word.
    init?(word: String) {
        guard let format = Self.words[word.lowercased().filter { $0.isLetter || $0.isNumber }] else { return nil }
        self = format
    }

    private static let words: [String: Format] = [
        "test": .test, "test5day": .test, "5day": .test, "4day": .firstClass, "3day": .firstClass,
        "firstclass": .firstClass, "1stclass": .firstClass, "odi": .odi, "lista": .listA, "oneday": .listA,
        "t20i": .t20i, "t20": .t20, "t10": .t10, "tb10": .t10, "hundred": .hundred, "thehundred": .hundred,
        "100ball": .hundred, "100balls": .hundred, "t100": .hundred,
    ]
}

extension MatchStatus {
    /// The status of a match that is over, nil when it is unknown how; `isTieBroken` when a side won the tie-break.
    init(ended kind: ProviderResult.Kind?, isTieBroken: Bool) {
        self =
            switch kind {
            case .draw: .drawn
            case .noResult: .noResult
            case .awarded: .awarded
            case .tie: isTieBroken ? .result : .tied
            default: .result
            }
    }

    /// The status of a match that is over, by its result, which may be unknown.
    init(ended result: ProviderResult?) {
        self.init(ended: result?.kind, isTieBroken: result?.tieBreakWinner != nil)
    }
}
