// Two flags say whether a match has begun and ended; what goes on between stands in a sentence of any form.

internal import MatchEngine

/// Reads what a match is doing.
enum CricketDataStatus {
    /// The status and the provider's sentence.
    static func status(of match: CricketDataMatch, hasBalls: Bool) -> StatusReport {
        let text = match.status ?? ""
        let status = status(of: match, words: words(of: match), hasBalls: hasBalls)
        let isInPlay = status == .live || status == .superOver
        let isUnknown = isInPlay && !isOfPlay(match)
        // While play is on the sentence tells the chase anew with every ball, which the content does already.
        let isShown = (!isInPlay || isUnknown) && !text.isEmpty
        return StatusReport(status: status, note: isShown ? FeedText.clean(text) : nil, isUnknown: isUnknown)
    }

    /// Whether a sentence is one of those that tell of toss, score, chase or lead while play is on.
    private static func isOfPlay(_ match: CricketDataMatch) -> Bool {
        let words = words(of: match).filter { $0 != "day" }
        let scores = (match.status ?? "").split(separator: " ").map { $0.split(separator: "/") }
        return words.isEmpty || words.contains(where: ofPlay.contains)
            || scores.contains { $0.count == 2 && $0.allSatisfy { $0.first?.isNumber == true } }
    }

    /// Words of which one stands in such a sentence; without any it is one that nobody knows (cricket.md C.17).
    private static let ofPlay: Set<String> = [
        "opt", "opts", "opted", "elect", "elects", "elected", "choose", "chose", "toss", "need", "needs", "require",
        "requires", "required", "target", "chase", "chasing", "trail", "trails", "lead", "leads", "level", "won", "win",
        "session", "innings", "over", "overs", "run", "runs", "ball", "balls", "wicket", "wickets", "batting",
        "bowling", "started", "resumed", "progress", "live",
    ]

    /// Whether the sentence says that the innings is over and the next has not begun.
    static func isInningsBreak(_ match: CricketDataMatch) -> Bool {
        match.hasEnded?.value != true && words(of: match).contains(phrase: "innings break")
    }

    /// The sentence in lower case, word by word, without the names of the teams: `Bahrain` is no rain.
    private static func words(of match: CricketDataMatch) -> [String] {
        var text = (match.status ?? "").lowercased()
        // The longest first: one name may be part of the other.
        for name in match.teams.map({ $0.lowercased() }).sorted(by: { $0.count > $1.count }) where !name.isEmpty {
            text = text.replacing(name, with: "-")
        }
        return text.split { !$0.isLetter }.map(String.init)
    }

    private static func status(of match: CricketDataMatch, words: [String], hasBalls: Bool) -> MatchStatus {
        if match.hasEnded?.value == true { return ended(match, words: words, hasBalls: hasBalls) }
        if let pause = pauses.first(where: { words.contains(phrase: $0.0) })?.1 { return pause }
        if words.contains(where: stops.contains) { return hasBalls ? .suspended : .startDelayed }
        if match.hasStarted?.value == true { return words.contains(phrase: "super over") ? .superOver : .live }
        return match.tossWinner?.isEmpty == false ? .toss : .scheduled
    }

    /// The flag says that the match is over; the sentence how, and a sentence that is not understood says no more.
    private static func ended(_ match: CricketDataMatch, words: [String], hasBalls: Bool) -> MatchStatus {
        if words.contains("postponed") { return .postponed }
        if words.contains(where: { $0.hasPrefix("cancel") }) { return .cancelled }
        let sentence = sentence(of: match)
        switch sentence?.kind {
        case .tie: return sentence?.tieBreakWinner == nil ? .tied : .result
        case .draw: return .drawn
        case .noResult: return hasBalls ? .noResult : .abandonedNoBall
        case .awarded: return .awarded
        default: return .result
        }
    }

    /// The sentence, read as one that tells the end.
    static func sentence(of match: CricketDataMatch) -> ResultSentence? {
        let shortNames = match.teams.map { name in match.teamInfo?.first { $0.name == name }?.shortName }
        return match.status.map { ResultSentence($0, teams: match.teams, shortNames: shortNames) }
    }

    /// Words that name a pause, wherever they stand in the sentence.
    private static let pauses: [(String, MatchStatus)] = [
        ("innings break", .inningsBreak), ("stumps", .stumps), ("lunch", .lunch), ("tea break", .tea),
        ("dinner", .dinner), ("drinks", .drinks), ("bad light", .badLight), ("rain", .rain),
        ("wet outfield", .wetOutfield), ("strategic timeout", .strategicTimeout), ("rest day", .restDay),
        ("floodlight", .floodlight), ("floodlights", .floodlight),
    ]

    /// Words for play that does not go on, for whatever reason.
    private static let stops: Set<String> = ["delay", "delayed", "stopped", "suspended", "interrupted", "halted"]
}

extension [String] {
    /// Whether the words of a phrase stand here one after the other.
    fileprivate func contains(phrase: String) -> Bool {
        let wanted = phrase.split(separator: " ").map(String.init)
        return indices.contains { self[$0...].starts(with: wanted) }
    }
}
