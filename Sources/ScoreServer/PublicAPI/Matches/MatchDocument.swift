// The snapshot of a match as JSON: the scorecard in fields, and the content state that phones draw.

import LiveSurface
import MatchEngine
import ScoreTypes

/// Writes matches.
enum MatchDocument {
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
    static func snapshot(of news: MatchNews) -> [UInt8] {
        JSONWriter.document(reservingBytes: 16_384) { json in
            writeHead(of: news, into: &json)
            json.field("format", news.info.format.rawValue)
            json.field("venue", ifPresent: news.info.venue)
            json.key("innings")
            json.array { json in
                for innings in news.state.innings { InningsDocument(innings, news.info, news.state.rules).write(&json) }
            }
            writePlay(of: news, into: &json)
            writeResult(of: news, into: &json)
            json.key("display")
            json.raw(news.contentState)
            json.key("provenance")
            json.object { json in
                json.field("feed", news.feed.text)
                json.field("observedAtMs", news.observedAt.milliseconds)
                json.field("publishedAtMs", news.publishedAt.milliseconds)
                json.field("lagMs", max(0, (news.publishedAt - news.observedAt).milliseconds))
                json.field("held", news.isHeld)
                json.field("stale", news.staleSince != nil)
                if let since = news.staleSince { json.field("staleSinceMs", since.milliseconds) }
            }
            json.field("nextPollMs", nextPoll(news.state.phase))
        }
    }

    /// One element of `GET /v1/matches`.
    static func item(of news: MatchNews) -> [UInt8] {
        JSONWriter.document { json in
            writeHead(of: news, into: &json)
            json.key("scores")
            json.array { json in
                for innings in news.state.innings where innings.hasBegun {
                    json.object { json in
                        json.field("teamId", news.info.team(innings.info.batting).id)
                        json.field("score", innings.score)
                        json.field("overs", innings.overs.text(in: news.state.rules))
                    }
                }
            }
            writeResult(of: news, into: &json)
            json.key("links")
            json.object { json in
                json.field("self", "/v1/matches/\(news.match)")
                json.field("stream", "/v1/matches/\(news.match)/stream")
            }
        }
    }

    private static func writeHead(of news: MatchNews, into json: inout JSONWriter) {
        json.field("id", news.match.text)
        json.field("epoch", news.revision.epoch.text)
        json.field("rev", news.revision.number)
        json.field("status", news.state.displayState.rawValue)
        json.field("competition", ifPresent: news.info.competition)
        if let startsAt = news.info.startsAt {
            let milliseconds = startsAt.multipliedReportingOverflow(by: 1000)
            if !milliseconds.overflow {
                json.field("startsAt", Instant(milliseconds: milliseconds.partialValue).rfc3339)
            }
        }
        json.key("teams")
        json.array { json in
            for side in Side.allCases {
                let team = news.info.team(side)
                json.object { json in
                    json.field("id", team.id)
                    json.field("name", team.name)
                    json.field("abbr", news.state.abbreviations[side])
                    json.field("color", ifPresent: team.color)
                }
            }
        }
    }

    /// The batters, the bowler and the target.
    private static func writePlay(of news: MatchNews, into json: inout JSONWriter) {
        let state = news.state
        if let current = state.currentInnings, !current.isClosed {
            json.key("batters")
            json.array { json in
                for index in current.atCrease where current.batters.indices.contains(index) {
                    let onStrike = current.onStrike == index
                    InningsDocument.write(current.batters[index], onStrike: onStrike, into: &json)
                }
            }
            if let index = current.bowler, current.bowlers.indices.contains(index) {
                json.key("bowler")
                InningsDocument.write(current.bowlers[index], ballsPerOver: current.ballsPerOver, into: &json)
            }
            json.key("lastBalls")
            json.array { json in for ball in current.recent { json.string(ball.text) } }
            json.field("currentRate", current.runRate)
            if let stand = current.partnership {
                json.key("partnership")
                json.object { json in
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

    private static func writeResult(of news: MatchNews, into json: inout JSONWriter) {
        guard let result = news.state.result else { return }
        json.key("result")
        json.object { json in
            json.field("text", result.text { news.info.team($0).name })
            if let winner = result.winner { json.field("winnerId", news.info.team(winner).id) }
            json.field("official", result.isOfficial)
        }
    }
}
