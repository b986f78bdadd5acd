// A scorebook in plain text, short enough to write by hand and to read beside the game it describes.

import ScoreTypes

/// Why a scorebook could not be played.
public struct MatchScriptError: Error, CustomStringConvertible {
    /// The line as written.
    public let line: String
    /// The expected token.
    public let expected: String
    /// One sentence with the mistake.
    public var description: String { "Cannot play the line «\(line)»: expected \(expected)." }
}

/// Reads the notation and plays it into a Cricsheet document.
///
/// A line is one of: `competition …`, `season …`, `venue …`, `date yyyy-mm-dd`, `toss TEAM bat|field`,
/// `team NAME: players`, `innings TEAM`, `pause STATUS MINUTES`, or an over `Bowler: balls`. Balls: `.` and digits are
/// runs off the bat; `4>6` was first posted as 4; `wd`, `nb2` (two off the bat), `b1`, `lb1`; `Wb`, `Wlbw`,
/// `Wc=Fielder`, `Wst=Keeper`, `Wro=Fielder` are wickets of the striker.
enum MatchScript {
    /// What a line should have had.
    struct Expected: Error {
        let text: String

        init(_ text: String) { self.text = text }
    }

    static func play(_ text: String) throws(MatchScriptError) -> PlayedMatch {
        var match = ScriptedMatch()
        for line in text.split(separator: "\n").map(String.init) {
            do throws(Expected) { try read(line, into: &match) } catch {
                throw MatchScriptError(line: line, expected: error.text)
            }
        }
        return match.close()
    }

    private static func read(_ line: String, into match: inout ScriptedMatch) throws(Expected) {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        let rest = words.count > 1 ? words[1] : ""
        switch words.first {
        case "competition": match.competition = rest
        case "season": match.season = rest
        case "venue": match.venue = rest
        case "date": match.date = rest
        case "toss": try match.readToss(rest)
        case "team": try match.readTeam(rest)
        case "innings": try match.beginInnings(rest)
        case "pause": try match.readPause(rest)
        default: try readOver(line, into: &match)
        }
    }

    private static func readOver(_ line: String, into match: inout ScriptedMatch) throws(Expected) {
        let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw Expected("`Bowler: balls`") }
        let bowler = try match.fielder(parts[0])
        match.beginOver()
        for token in parts[1].split(separator: " ") {
            let (posted, real) = try readings(of: String(token))
            try match.bowl(real, posted: posted, by: bowler)
        }
        match.endOver()
    }

    private static func readings(of token: String) throws(Expected) -> (ScriptBall?, ScriptBall) {
        let sides = token.split(separator: ">").map(String.init)
        guard let last = sides.last, let real = ScriptBall(last) else {
            throw Expected("a ball instead of `\(token)`")
        }
        guard sides.count == 2 else { return (nil, real) }
        guard let posted = ScriptBall(sides[0]) else {
            throw Expected("a ball before `>` in `\(token)`")
        }
        return (posted, real)
    }
}

/// One ball of the notation.
struct ScriptBall {
    var bat = 0
    var wides = 0
    var noBalls = 0
    var byes = 0
    var legByes = 0
    var wicket: (kind: String, fielder: String?)?

    var isLegal: Bool { wides == 0 && noBalls == 0 }
    var total: Int { bat + wides + noBalls + byes + legByes }
    /// The runs that the batters ran, which decide the next striker; a boundary counts as none.
    var run: Int { (bat == 4 || bat == 6 ? 0 : bat) + byes + legByes }

    init?(_ token: String) {
        let kinds = ["b": "bowled", "lbw": "lbw", "c": "caught", "st": "stumped", "ro": "run out"]
        if token == "." { return }
        if let runs = Int(token) {
            bat = runs
        } else if token.hasPrefix("W") {
            let parts = token.dropFirst().split(separator: "=").map(String.init)
            guard let first = parts.first, let kind = kinds[first] else { return nil }
            wicket = (kind, parts.count > 1 ? parts[1] : nil)
        } else if token == "wd" {
            wides = 1
        } else if token.hasPrefix("nb"), let runs = Int(token.dropFirst(2)) {
            noBalls = 1
            bat = runs
        } else if token.hasPrefix("lb"), let runs = Int(token.dropFirst(2)) {
            legByes = runs
        } else if token.hasPrefix("b"), let runs = Int(token.dropFirst(1)) {
            byes = runs
        } else {
            return nil
        }
    }
}
