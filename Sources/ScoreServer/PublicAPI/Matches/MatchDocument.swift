// The snapshot of a match as JSON: the scorecard in fields, and the content state that phones draw.

import LiveSurface
import MatchEngine
import MatchJournal
import ScoreTypes

/// Writes matches.
enum MatchDocument {
    /// The forms of a snapshot.
    enum Form: String, Sendable, CaseIterable {
        /// Without the rows of the scorecards.
        case compact
        case full
    }

    /// Time until a client should poll again, in milliseconds.
    static func nextPoll(_ phase: MatchPhase) -> Int {
        switch phase {
        case .live: 2_000
        case .onBreak: 15_000
        case .scheduled: 60_000
        case .over: 3_600_000
        }
    }

    /// Body of `GET /v1/matches/{id}`.
    static func snapshot(of news: MatchNews, _ form: Form = .full) -> [UInt8] {
        let publication = news.publication
        return JSONWriter.document(reservingBytes: 16_384) { json in
            writeState(of: publication, form, into: &json)
            json.object("provenance") { json in
                writeOrigin(of: publication, into: &json)
                json.field("held", news.isHeld)
                json.field("stale", news.staleSince != nil)
                if let since = news.staleSince { json.field("staleSinceMs", since.milliseconds) }
            }
            json.field("nextPollMs", nextPoll(publication.phase))
        }
    }

    /// Body of `GET /v1/matches/{id}/revisions/{rev}`: what never changes of a snapshot.
    static func revision(of publication: Publication) -> [UInt8] {
        JSONWriter.document(reservingBytes: 16_384) { json in
            writeState(of: publication, .full, into: &json)
            json.object("provenance") { writeOrigin(of: publication, into: &$0) }
        }
    }

    private static func writeState(of publication: Publication, _ form: Form, into json: inout JSONWriter) {
        writeHead(of: publication, into: &json)
        json.field("format", publication.info.format.rawValue)
        json.field("venue", ifPresent: publication.info.venue)
        json.objects("innings", publication.state.innings) { innings, json in
            let document = InningsDocument(innings: innings, info: publication.info, rules: publication.state.rules)
            switch form {
            case .compact: document.writeTotals(&json)
            case .full: document.write(&json)
            }
        }
        writePlay(of: publication, into: &json)
        writeResult(of: publication, into: &json)
        json.key("display")
        json.raw(publication.contentState)
    }

    private static func writeOrigin(of publication: Publication, into json: inout JSONWriter) {
        json.field("feed", ifPresent: publication.feed?.text)
        json.field("observedAtMs", publication.seenAt.milliseconds)
        json.field("publishedAtMs", publication.committedAt.milliseconds)
        json.field("lagMs", max(0, (publication.committedAt - publication.seenAt).milliseconds))
    }

    /// One element of `GET /v1/matches`.
    static func item(of publication: Publication) -> [UInt8] {
        JSONWriter.document { json in
            writeHead(of: publication, into: &json)
            json.objects("scores", publication.state.innings.lazy.filter(\.hasBegun)) { innings, json in
                json.field("teamId", publication.info.team(innings.info.batting).id)
                json.field("score", innings.score)
                json.field("overs", innings.overs.text(in: publication.state.rules))
            }
            writeResult(of: publication, into: &json)
            json.object("links") { json in
                json.field("self", "/v1/matches/\(publication.match)")
                json.field("stream", "/v1/matches/\(publication.match)/stream")
            }
        }
    }

    /// Writes the members that all documents of a match begin with.
    static func writeHead(of publication: Publication, into json: inout JSONWriter) {
        json.field("id", publication.match.text)
        json.field("epoch", publication.revision.epoch.text)
        json.field("rev", publication.revision.number)
        json.field("status", publication.state.displayState.rawValue)
        json.field("competition", ifPresent: publication.info.competition)
        if let startsAt = publication.info.startsAt {
            let milliseconds = startsAt.multipliedReportingOverflow(by: 1000)
            if !milliseconds.overflow {
                json.field("startsAt", Instant(milliseconds: milliseconds.partialValue).rfc3339)
            }
        }
        json.objects("teams", Side.allCases) { side, json in
            let team = publication.info.team(side)
            json.field("id", team.id)
            json.field("name", team.name)
            json.field("abbr", publication.state.abbreviations[side])
            json.field("color", ifPresent: team.color)
        }
    }

    /// The batters, the bowler and the target.
    private static func writePlay(of publication: Publication, into json: inout JSONWriter) {
        let state = publication.state
        if let current = state.currentInnings, !current.isClosed {
            json.objects("batters", current.atCrease.lazy.filter(current.batters.indices.contains)) { index, json in
                InningsDocument.write(current.batters[index], onStrike: current.onStrike == index, into: &json)
            }
            if let index = current.bowler, current.bowlers.indices.contains(index) {
                json.object("bowler") { json in
                    InningsDocument.write(current.bowlers[index], ballsPerOver: current.ballsPerOver, into: &json)
                }
            }
            json.strings("lastBalls", current.recent.map(\.text))
            json.field("currentRate", current.runRate)
            if let stand = current.partnership {
                json.object("partnership") { json in
                    json.field("runs", stand.runs)
                    json.field("balls", stand.balls)
                }
            }
        }
        guard let chase = state.chase else { return }
        json.field("target", chase.target.runs)
        json.field("dls", ifPresent: chase.target.method)
        json.field("needed", chase.needed)
        if let balls = chase.ballsLeft { json.field("ballsLeft", balls) }
        json.field("requiredRate", ifPresent: chase.requiredRate)
    }

    /// Writes the result; nothing before there is one.
    static func writeResult(of publication: Publication, into json: inout JSONWriter) {
        guard let result = publication.state.result else { return }
        json.object("result") { json in
            json.field("text", result.text { publication.info.team($0).name })
            if let winner = result.winner { json.field("winnerId", publication.info.team(winner).id) }
            json.field("official", result.isOfficial)
        }
    }
}
