// Derives the rules that depend on the organiser and the date from names and dates.

/// A competition and a season, as far as the rules depend on them.
struct Competition {
    private let format: Format
    private let words: [String]
    private let isWomens: Bool
    /// `yyyy-mm-dd` of the first day; else the first year of the season, four digits.
    private let date: String
    /// Days for which the match is scheduled, at least 1; nil for first-class cricket whose feed names one day or none:
    /// three to five days are usual.
    let days: Int?

    init(_ info: MatchInfo) {
        format = info.format
        words = Abbreviations.words(of: info.competition ?? "")
        // Some feeds do not say who plays, and the names of clubs do not show it.
        isWomens = info.isWomens || (info.competition ?? "").uppercased().contains("WOMEN")
        date = info.days.first ?? String((info.season ?? "").prefix(4))
        // A Test that ended on the third day was scheduled for five, and files list the days that were played.
        let isKnown = info.format != .firstClass || info.days.count > 1
        days = isKnown ? max(info.format.days, info.days.count) : nil
    }

    /// The year of the season; 0 when it is unknown.
    private var year: Int { Int(date.prefix(4)) ?? 0 }

    private func has(_ all: String...) -> Bool { all.allSatisfy(words.contains) }

    /// Runs of a no-ball: two in these competitions of Cricsheet's corpus, one in all others (cricket.md C.1).
    var noBallPenalty: Int {
        if format == .hundred { return (1...2025).contains(year) ? 2 : 1 }
        if format == .firstClass { return has("COUNTY", "CHAMPIONSHIP") || has("BOB", "WILLIS") ? 2 : 1 }
        guard !isWomens else { return has("SUPER", "LEAGUE") && year == 2016 ? 2 : 1 }
        let isEnglishCup = format == .listA && !has("AUSTRALIA") && (has("ONE", "DAY", "CUP") || has("ROYAL", "LONDON"))
        return isEnglishCup || has("BLAST") && (has("NATWEST") || has("VITALITY") || has("T20")) ? 2 : 1
    }

    /// Free hits: after foot faults since about 2007, after every no-ball since July 2015 (cricket.md C.15).
    var freeHit: FreeHitPolicy {
        guard format.isLimitedOvers else { return .never }
        if date.isEmpty || date >= "2015-07" { return .allNoBalls }
        return year >= 2007 ? .footFaults : .never
    }

    /// Tie-breaks: bowl-outs until 2008, boundaries after one super over until late 2019 (cricket.md C.10).
    var tieProcedure: TieProcedure {
        switch format {
        case .test, .firstClass: return .stands
        case .odi, .listA: return has("WORLD", "CUP") ? byYear : .stands
        case .t20i, .t20, .t10, .hundred: return byYear
        }
    }

    private var byYear: TieProcedure {
        if date.isEmpty || date >= "2019-10" { return .superOvers }
        return year >= 2008 ? .superOverThenBoundaries : .bowlOut
    }

    var powerplay: PowerplayRule {
        switch format {
        case .test, .firstClass: return .none
        case .odi, .listA: return .fifty
        case .hundred: return .quarter
        case .t10: return .threeTenths
        case .t20i: return date.isEmpty || date >= "2025-07" ? .threeTenths : .wholeOvers
        case .t20: return has("BIG", "BASH") && (date.isEmpty || date >= "2020-10") ? .fourAndSurge : .wholeOvers
        }
    }
}
