// Follows the striker while a match script is played, and writes each ball as Cricsheet does.

import ScoreTypes

/// The match of a script up to the present line.
struct ScriptedMatch {
    var competition = ""
    var season = ""
    var venue = ""
    var date = ""
    private var toss: (winner: String, decision: String)?
    private var teams: [(name: String, players: [String])] = []
    private var innings: [Innings] = []
    private var interruptions: [Interruption] = []
    private var misreports: [Int: [UInt8]] = [:]
    private var ballCount = 0

    private struct Innings {
        let team: Int
        var striker: Int = 0
        var nonStriker: Int = 1
        var nextIn: Int = 2
        var runs = 0
        var wickets = 0
        var overs: [[[UInt8]]] = []

        mutating func changeEnds() { (striker, nonStriker) = (nonStriker, striker) }
    }

    mutating func readToss(_ rest: String) throws(MatchScript.Expected) {
        guard let space = rest.lastIndex(of: " ") else {
            throw MatchScript.Expected("`toss TEAM bat` or `toss TEAM field`")
        }
        toss = (String(rest[..<space]), String(rest[rest.index(after: space)...]))
    }

    mutating func readTeam(_ rest: String) throws(MatchScript.Expected) {
        let parts = rest.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw MatchScript.Expected("`team NAME: players`") }
        teams.append((parts[0], parts[1].split(separator: ",").map { Self.trimmed($0) }))
    }

    mutating func beginInnings(_ name: String) throws(MatchScript.Expected) {
        guard let team = teams.firstIndex(where: { $0.name == name }), teams.count == 2 else {
            throw MatchScript.Expected("one of the two teams")
        }
        innings.append(Innings(team: team))
    }

    mutating func readPause(_ rest: String) throws(MatchScript.Expected) {
        let parts = rest.split(separator: " ").map(String.init)
        guard parts.count == 2, let minutes = Int(parts[1]), (1...1_000).contains(minutes) else {
            throw MatchScript.Expected("`pause STATUS MINUTES`")
        }
        interruptions.append(Interruption(beforeBall: ballCount, status: parts[0], lasts: .seconds(60 * minutes)))
    }

    /// The full name behind a surname of the side in the field.
    func fielder(_ surname: String) throws(MatchScript.Expected) -> String {
        guard let batting = innings.last?.team,
            let name = teams[1 - batting].players.first(where: { $0.hasSuffix(" " + surname) })
        else { throw MatchScript.Expected("`\(surname)` in the fielding side") }
        return name
    }

    mutating func beginOver() { innings[innings.count - 1].overs.append([]) }

    mutating func endOver() { innings[innings.count - 1].changeEnds() }

    mutating func bowl(_ ball: ScriptBall, posted: ScriptBall?, by bowler: String) throws(MatchScript.Expected) {
        let last = innings.count - 1
        if let posted {
            misreports[ballCount] = try delivery(posted, by: bowler)
        }
        let bytes = try delivery(ball, by: bowler)
        innings[last].overs[innings[last].overs.count - 1].append(bytes)
        innings[last].runs += ball.total
        ballCount += 1
        if ball.wicket != nil {
            innings[last].wickets += 1
            innings[last].striker = innings[last].nextIn
            innings[last].nextIn += 1
        } else if !ball.run.isMultiple(of: 2) {
            innings[last].changeEnds()
        }
    }

    private func delivery(_ ball: ScriptBall, by bowler: String) throws(MatchScript.Expected) -> [UInt8] {
        let now = innings[innings.count - 1]
        let players = teams[now.team].players
        guard players.indices.contains(now.striker), players.indices.contains(now.nonStriker) else {
            throw MatchScript.Expected("a batter left to come in")
        }
        let fielder: String? =
            if let name = ball.wicket?.fielder { try self.fielder(name) } else { nil }
        let striker = players[now.striker]
        let partner = players[now.nonStriker]
        return JSONWriter.document { json in
            json.field("batter", striker)
            json.field("bowler", bowler)
            json.field("non_striker", partner)
            Self.writeRuns(of: ball, to: &json)
            guard let wicket = ball.wicket else { return }
            json.array("wickets") { list in
                list.object { entry in
                    entry.field("kind", wicket.kind)
                    entry.field("player_out", striker)
                    guard let fielder else { return }
                    entry.array("fielders") { $0.object { $0.field("name", fielder) } }
                }
            }
        }
    }

    private static func writeRuns(of ball: ScriptBall, to json: inout JSONWriter) {
        json.object("runs") { runs in
            runs.field("batter", ball.bat)
            runs.field("extras", ball.total - ball.bat)
            runs.field("total", ball.total)
        }
        guard ball.total > ball.bat else { return }
        json.object("extras") { extras in
            if ball.wides > 0 { extras.field("wides", ball.wides) }
            if ball.noBalls > 0 { extras.field("noballs", ball.noBalls) }
            if ball.byes > 0 { extras.field("byes", ball.byes) }
            if ball.legByes > 0 { extras.field("legbyes", ball.legByes) }
        }
    }

    /// Writes the whole document.
    func close() -> PlayedMatch {
        let document = JSONWriter.document(reservingBytes: 64 * 1024) { json in
            json.object("meta") { meta in
                meta.field("data_version", "1.1.0")
                meta.field("created", date)
                meta.field("revision", 1)
            }
            json.object("info") { writeInfo(to: &$0) }
            json.array("innings") { list in
                for (number, part) in innings.enumerated() { write(part, number: number, to: &list) }
            }
        }
        return PlayedMatch(document: document, interruptions: interruptions, misreports: misreports)
    }

    private func writeInfo(to info: inout JSONWriter) {
        info.field("balls_per_over", 6)
        info.strings("dates", [date])
        info.object("event") { $0.field("name", competition) }
        info.field("gender", "female")
        info.field("match_type", "T20")
        writeOutcome(to: &info)
        info.field("overs", 20)
        info.object("players") { players in
            for team in teams {
                players.key(dynamic: team.name)
                players.array { list in team.players.forEach { list.string($0) } }
            }
        }
        info.field("season", season)
        info.field("team_type", "club")
        info.strings("teams", teams.map(\.name))
        if let toss {
            info.object("toss") { json in
                json.field("decision", toss.decision)
                json.field("winner", toss.winner)
            }
        }
        info.field("venue", venue)
    }

    private func writeOutcome(to info: inout JSONWriter) {
        guard innings.count == 2 else { return }
        let (first, chase) = (innings[0], innings[1])
        info.object("outcome") { outcome in
            guard first.runs != chase.runs else { return outcome.field("result", "tie") }
            let chased = chase.runs > first.runs
            outcome.field("winner", teams[chased ? chase.team : first.team].name)
            outcome.object("by") { margin in
                if chased {
                    margin.field("wickets", 10 - chase.wickets)
                } else {
                    margin.field("runs", first.runs - chase.runs)
                }
            }
        }
    }

    private func write(_ part: Innings, number: Int, to list: inout JSONWriter) {
        list.object { json in
            json.field("team", teams[part.team].name)
            json.array("overs") { overs in
                for (over, balls) in part.overs.enumerated() {
                    overs.object { entry in
                        entry.field("over", over)
                        entry.array("deliveries") { deliveries in balls.forEach { deliveries.raw($0) } }
                    }
                }
            }
            guard number == 1 else { return }
            json.object("target") { target in
                target.field("overs", 20)
                target.field("runs", innings[0].runs + 1)
            }
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " })
    }
}
