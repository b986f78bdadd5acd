// The page that a newcomer opens first: two phones that move with every ball, beside the figures of the way there.

import MatchEngine
import MatchJournal
import ScoreTypes
import SurfaceImages

extension ConsolePages {
    /// The phones of a match; nil when there is none.
    func phones(_ match: MatchID) async throws -> ConsoleView? {
        guard let view = try await dependencies.matches.view(of: match) else { return nil }
        let pipeline = await dependencies.pipeline()
        let detail = try await dependencies.control.detail(of: match, countsWithin: ServerLimits.pageCountWait)
        var context = MatchCard(view: view, streams: dependencies.hub.watcherCounts[match] ?? 0).board
        context["phones"] = Self.phones(of: view)
        context["figures"] = try await figures(of: view, pipeline, detail)
        if let alert = view.publication.alert { context["alert"] = ["title": alert.title, "body": alert.body] }
        let newest = view.revision.number
        let statements = try await dependencies.overrides.statements(
            of: match,
            about: nil,
            after: max(0, newest - Int64(ServerLimits.consoleBalls)),
            limit: ServerLimits.consoleBalls
        )
        context["entries"] = statements.reversed().map { JournalLine(match: match, statement: $0).context }
        return ConsoleView(
            title: view.info.teams.map(\.name).joined(separator: " v "),
            template: "phones",
            context: context,
            state: (context["phase"] as? String ?? "", context["tone"] as? String ?? "")
        )
    }

    /// The drawings of both phones at the newest revision.
    static func phones(of view: MatchView) -> [[String: Any]] {
        SurfacePhone.allCases.map { phone in
            [
                "title": phone.title, "layout": phone.rawValue,
                "address": "/admin/api/v1/matches/\(view.match)/preview?rev=\(view.revision.number)"
                    + "&layout=\(phone.rawValue)",
                "isAlerting": view.publication.alert != nil,
            ]
        }
    }

    /// The figures of the pipeline for one match.
    private func figures(
        of view: MatchView,
        _ pipeline: JSONValue,
        _ detail: JSONValue?
    ) async throws -> [[String: Any]] {
        let dispatcher = pipeline.member("dispatcher")
        let fanout = dispatcher?.member("matches")?.asElements?.first {
            ConsoleContext.text($0, "matchId") == view.match.text
        }
        let environments = dispatcher?.member("environments")?.asElements ?? []
        let accepted = environments.reduce(0) { $0 &+ ConsoleContext.number($1, "accepted") }
        let receipts = detail?.member("receipts")
        let (reached, confirmed) = (
            ConsoleContext.number(receipts, "accepted"), ConsoleContext.number(receipts, "confirmed")
        )
        let activities =
            ConsoleContext.number(detail, "activitiesByToken")
            &+ ConsoleContext.number(detail, "activitiesOnChannels")
        var figures: [[String: Any]] = []
        if let last = fanout?.member("firstRequests")?.asElements?.last {
            let span = try await ballToFirstPush(of: view, last)
            figures.append(Self.figure("Ball to first push", "\(span) ms", "from the feed's reply to Apple"))
        }
        let pushes = Self.figure("Pushes accepted", ConsoleContext.grouped(accepted), "by Apple since the start")
        figures.append(pushes.merging(["isTotal": true, "raw": accepted]) { $1 })
        figures += [
            Self.figure(
                "Phones confirmed",
                "\(ConsoleContext.grouped(confirmed)) of \(ConsoleContext.grouped(reached))",
                "show the newest state, by their receipts",
                share: (confirmed, max(1, reached))
            ),
            Self.figure("Live Activities", ConsoleContext.grouped(activities), "on tokens and channels"),
            Self.figure("Revision", "\(view.revision.number)", "of this match"),
            Self.figure("Content state", "\(view.publication.contentState.count)", "of 3,500 bytes"),
        ]
        return figures
    }

    private static func figure(_ name: String, _ value: String, _ note: String, share: (Int64, Int64)? = nil)
        -> [String: Any]
    {
        var figure: [String: Any] = ["name": name, "value": value, "note": note, "isTotal": false]
        figure["share"] = share.map { ["value": $0.0, "max": $0.1] }
        return figure
    }

    /// Milliseconds from the feed's reply to the first request of the publication that was sent last.
    private func ballToFirstPush(of view: MatchView, _ request: JSONValue) async throws -> Int64 {
        let (revision, wait) = (ConsoleContext.number(request, "rev"), ConsoleContext.number(request, "ms"))
        let rows = try await dependencies.overrides.publications(
            of: view.match,
            after: revision - 1,
            through: revision
        )
        return wait + (rows.first.map { max(0, ($0.at - $0.seenAt).milliseconds) } ?? 0)
    }
}
