// The full scorecard, with the tables that the snapshot leaves out because polling clients do not draw them.

import MatchEngine
import MatchJournal
import ScoreTypes

/// Writes the scorecard of a publication.
struct ScorecardDocument {
    let publication: Publication

    /// Body of `GET /v1/matches/{id}/scorecard`.
    var bytes: [UInt8] {
        JSONWriter.document(reservingBytes: 16_384) { json in
            MatchDocument.writeHead(of: publication, into: &json)
            json.field("format", publication.info.format.rawValue)
            json.field("venue", ifPresent: publication.info.venue)
            writeToss(&json)
            json.objects("innings", publication.state.innings) { innings, json in
                let rules = publication.state.rules
                InningsDocument(innings: innings, info: publication.info, rules: rules).write(&json)
                json.field("end", ifPresent: innings.end?.rawValue)
                json.field("runRate", innings.runRate)
                writePartnerships(of: innings, into: &json)
                writeYetToBat(in: innings, into: &json)
            }
            MatchDocument.writeResult(of: publication, into: &json)
        }
    }

    private func writeToss(_ json: inout JSONWriter) {
        guard let toss = publication.info.toss else { return }
        json.object("toss") { json in
            json.field("winnerId", publication.info.team(toss.winner).id)
            json.field("decision", toss.decision.rawValue)
        }
    }

    private func writePartnerships(of innings: InningsState, into json: inout JSONWriter) {
        json.objects("partnerships", innings.partnerships) { stand, json in
            json.field("wicket", stand.wicket)
            json.field("runs", stand.runs)
            json.field("balls", stand.balls)
            json.field("unbroken", !stand.isOver)
            let shares = [stand.first, stand.second].filter { $0.batter.map(innings.batters.indices.contains) ?? false }
            json.objects("batters", shares) { share, json in
                json.field("name", share.batter.map { innings.batters[$0].player.name } ?? "")
                json.field("runs", share.runs)
                json.field("balls", share.balls)
            }
        }
    }

    /// The named players of the batting side without a row; after the innings they did not bat.
    private func writeYetToBat(in innings: InningsState, into json: inout JSONWriter) {
        let rows = Set(innings.batters.map(\.player.id))
        let others = publication.info.team(innings.info.batting).players.filter { !rows.contains($0.id) }
        json.strings("yetToBat", others.map(\.name))
    }
}
