// An operator reads an entry of the journal as one line; the entry itself is one click away.

import MatchEngine
import MatchJournal
import ScoreTypes

/// One entry of a journal as a line of a page.
struct JournalLine {
    let match: MatchID
    let statement: JournalStatement

    /// The context.
    var context: [String: Any] {
        let entry = statement.entry
        var context: [String: Any] = [
            "match": match.text, "revision": entry.revision, "at": entry.at.rfc3339,
            "text": Self.text(of: entry.change),
            "tone": Self.tone(of: entry.change), "source": source, "kind": Self.kind(of: entry.change),
            "json": (try? JSONValue(parsing: statement.body)).map { SchemaExample.indented($0) } ?? "",
        ]
        context["delay"] = statement.seenAt.map { (entry.at - $0).milliseconds }
        return context
    }

    /// The author of the entry: a provider and its feed, an operator or the server.
    var source: String {
        let (provider, feed) = (statement.source.provider, statement.source.feed)
        return feed.isEmpty ? provider : "\(provider) · \(feed)"
    }

    private static func kind(of change: Change) -> String {
        switch change {
        case .info: "Match"
        case .innings, .inningsWithdrawn: "Innings"
        case .inserted: "Ball"
        case .amended: "Correction of a ball"
        case .withdrawn: "Withdrawal of a ball"
        case .status: "Status"
        case .result: "Result"
        case .confirmed: "Confirmed moments"
        case .keepAlive: "Keep-alive"
        }
    }

    private static func text(of change: Change) -> String {
        switch change {
        case .info(let info): "Match: \(info.teams.map(\.name).joined(separator: " v "))"
        case .innings(let innings): "Innings \(innings.ordinal)"
        case .inningsWithdrawn(let ordinal): "Innings \(ordinal) withdrawn"
        case .inserted(let ball): text(of: ball)
        case .amended(let ball): "Corrected: \(text(of: ball))"
        case .withdrawn(let key): "Ball \(key.text) withdrawn"
        case .status(let report): "Status: \(words(of: report.status))" + (report.note.map { ", \($0)" } ?? "")
        case .result(let result): result == nil ? "Result withdrawn" : "Result"
        case .confirmed(let keys): "Confirmed: \(keys.map { words(of: $0) }.joined(separator: ", "))"
        case .keepAlive: "Keep-alive during a break"
        }
    }

    /// `inningsBreak` as `innings break`.
    private static func words(of status: MatchStatus) -> String {
        status.rawValue.reduce(into: "") { $0 += $1.isUppercase ? " \($1.lowercased())" : "\($1)" }
    }

    /// The moments that most matches have in words, others by their key.
    private static func words(of key: MomentKey) -> String {
        let parts = key.text.split(separator: ":")
        guard let word = parts.first else { return key.text }
        guard parts.count > 1 else { return word == "res" ? "the result" : key.text }
        let innings = "innings \(parts[1])"
        if let runs = Int(word.dropFirst()) {
            switch word.first {
            case "b": return "\(runs) runs of a batter in \(innings)"
            case "p": return "a partnership of \(runs) in \(innings)"
            case "t": return "\(runs) runs of the side in \(innings)"
            default: return key.text
            }
        }
        if word.last == "w", let wickets = Int(word.dropLast()) {
            return "\(wickets) wickets of a bowler in \(innings)"
        }
        switch (word, parts.count) {
        case ("w", 3): return "wicket \(parts[2]) of \(innings)"
        case ("inn", 2): return "the end of \(innings)"
        default: return key.text
        }
    }

    private static func text(of ball: Delivery) -> String {
        let runs = ball.runs
        let extras = [
            (runs.wides, "wd"), (runs.noBalls, "nb"), (runs.byes, "b"), (runs.legByes, "lb"), (runs.penalty, "pen"),
        ]
        var parts = ["Over \(ball.over &+ 1): \(ball.bowler.name) to \(ball.striker.name)"]
        if runs.bat > 0 || extras.allSatisfy({ $0.0 == 0 }) { parts.append("\(runs.bat)") }
        parts += extras.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        parts += ball.dismissals.map { "out: \($0.out.name), \($0.kind.rawValue)" }
        return parts.joined(separator: ", ")
    }

    private static func tone(of change: Change) -> String {
        switch change {
        case .inserted(let ball), .amended(let ball):
            ball.dismissals.isEmpty ? ball.runs.bat == 4 || ball.runs.bat == 6 ? "boundary" : "" : "wicket"
        case .withdrawn, .inningsWithdrawn, .keepAlive: "dim"
        case .info, .innings, .status, .result, .confirmed: ""
        }
    }
}
