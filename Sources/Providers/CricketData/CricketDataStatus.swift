// Two flags report start and end of a match; everything between is a free sentence.

internal import MatchEngine
internal import ScoreTypes

/// Reads the status.
enum CricketDataStatus {
    /// The status and the provider's sentence.
    static func status(of match: CricketDataMatch, hasBalls: Bool) -> StatusReport {
        let text = match.status ?? ""
        let status = status(of: match, words: words(of: match), hasBalls: hasBalls)
        let isInPlay = status == .live || status == .superOver
        let isUnknown = isInPlay && !isOfPlay(match)
        // During play the sentence repeats the chase with every ball, which the content state has already.
        let isShown = (!isInPlay || isUnknown) && !text.isEmpty
        return StatusReport(status: status, note: isShown ? SafeText.clean(text) : nil, isUnknown: isUnknown)
    }

    /// Whether the sentence is about toss, score, chase or lead, as during play.
    private static func isOfPlay(_ match: CricketDataMatch) -> Bool {
        let words = words(of: match).filter { $0 != "day" }
        let scores = (match.status ?? "").split(separator: " ").map { $0.split(separator: "/") }
        return words.isEmpty || words.contains(where: ofPlay.contains)
            || scores.contains { $0.count == 2 && $0.allSatisfy { $0.first?.isNumber == true } }
    }

    /// Such a sentence contains one of these words; any other is unknown (cricket.md C.17).
    private static let ofPlay: Set<String> = [
        "opt", "opts", "opted", "elect", "elects", "elected", "choose", "chose", "toss", "need", "needs", "require",
        "requires", "required", "target", "chase", "chasing", "trail", "trails", "lead", "leads", "level", "won", "win",
        "session", "innings", "over", "overs", "run", "runs", "ball", "balls", "wicket", "wickets", "batting",
        "bowling", "started", "resumed", "progress", "live",
    ]

    /// Whether the sentence reports an innings break.
    static func isInningsBreak(_ match: CricketDataMatch) -> Bool {
        match.matchEnded?.value != true && words(of: match).contains(phrase: "innings break")
    }

    /// The words of the sentence in lower case, without the names of the teams: `Bahrain` is not rain.
    private static func words(of match: CricketDataMatch) -> [String] {
        var text = (match.status ?? "").lowercased()
        // The longest first, since one name may be part of the other.
        for name in match.teams.map({ $0.lowercased() }).sorted(by: { $0.count > $1.count }) where !name.isEmpty {
            text = text.replacing(name, with: "-")
        }
        return text.split { !$0.isLetter }.map(String.init)
    }

    private static func status(of match: CricketDataMatch, words: [String], hasBalls: Bool) -> MatchStatus {
        if match.matchEnded?.value == true { return ended(match, words: words, hasBalls: hasBalls) }
        if let pause = pauses.first(where: { words.contains(phrase: $0.0) })?.1 { return pause }
        if words.contains(where: stops.contains) { return hasBalls ? .suspended : .startDelayed }
        if match.matchStarted?.value == true { return words.contains(phrase: "super over") ? .superOver : .live }
        return match.tossWinner?.isEmpty == false ? .toss : .scheduled
    }

    /// The flag reports the end of the match, the sentence its result, when it is understood.
    private static func ended(_ match: CricketDataMatch, words: [String], hasBalls: Bool) -> MatchStatus {
        if words.contains("postponed") { return .postponed }
        if words.contains(where: { $0.hasPrefix("cancel") }) { return .cancelled }
        let sentence = sentence(of: match)
        if sentence?.kind == .noResult, !hasBalls { return .abandonedNoBall }
        return MatchStatus(ended: sentence?.kind, isTieBroken: sentence?.tieBreakWinner != nil)
    }

    /// The sentence, parsed as a result.
    static func sentence(of match: CricketDataMatch) -> ResultSentence? {
        let shortNames = match.teams.map { name in match.teamInfo?.first { $0.name == name }?.shortname }
        return match.status.map { ResultSentence($0, teams: match.teams, shortNames: shortNames) }
    }

    /// Phrases for a pause, anywhere in the sentence.
    private static let pauses: [(String, MatchStatus)] = [
        ("innings break", .inningsBreak), ("stumps", .stumps), ("lunch", .lunch), ("tea break", .tea),
        ("dinner", .dinner), ("drinks", .drinks), ("bad light", .badLight), ("rain", .rain),
        ("wet outfield", .wetOutfield), ("strategic timeout", .strategicTimeout), ("rest day", .restDay),
        ("floodlight", .floodlight), ("floodlights", .floodlight),
    ]

    /// Words for interrupted play.
    private static let stops: Set<String> = ["delay", "delayed", "stopped", "suspended", "interrupted", "halted"]
}

extension [String] {
    /// Whether the words of a phrase follow each other.
    fileprivate func contains(phrase: String) -> Bool {
        let wanted = phrase.split(separator: " ").map(String.init)
        return indices.contains { self[$0...].starts(with: wanted) }
    }
}
