// The operators' page: a page without data, and a part with data that requires a token.

import MatchEngine
import MatchJournal
import Mustache
import ScoreIngest
import ScoreTypes

/// The templates of the console; Mustache escapes every value, and the policy of the page runs no other script.
struct ConsolePage: Sendable {
    private let shell: MustacheTemplate
    private let data: MustacheTemplate

    init() throws {
        shell = try MustacheTemplate(string: Self.shellText)
        data = try MustacheTemplate(string: Self.dataText)
    }

    /// The page with the form for a token, which fetches the rest.
    func shell(nonce: String) -> String { shell.render(["nonce": nonce]) }

    /// Matches, feeds and pipeline as an HTML fragment.
    func data(feeds: [FeedView], matches: [MatchView], streams: [MatchID: Int], pipeline: JSONValue) -> String {
        let rows = matches.sorted { ($0.phase.rawValue, $0.match) < ($1.phase.rawValue, $1.match) }.map { view in
            [
                "id": view.match.text, "title": view.info.teams.map(\.name).joined(separator: " v "),
                "status": view.phase.rawValue, "rev": view.revision.description,
                "held": view.news.isHeld ? "held" : "", "streams": String(streams[view.match] ?? 0),
                "lag": "\((view.publication.committedAt - view.publication.seenAt).milliseconds) ms",
                "at": view.publication.committedAt.rfc3339,
            ]
        }
        let feedRows = feeds.map { feed in
            [
                "id": feed.status.feed.text, "provider": feed.provider, "state": feed.state,
                "reason": feed.pausedReason ?? "", "last": feed.status.lastSuccess?.rfc3339 ?? "never",
                "failures": String(feed.status.consecutiveFailures),
            ]
        }
        let context: [String: Any] = [
            "matches": rows, "feeds": feedRows,
            "pipeline": Self.lines(of: pipeline, under: "").map { ["name": $0.name, "value": $0.value] },
        ]
        return data.render(context)
    }

    /// The content security policy: scripts and styles need the nonce, and requests go to this host only.
    static func policy(nonce: String) -> String {
        "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; img-src 'self' data:; "
            + "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
    }

    /// A tree as lines of a dotted name and a value.
    private static func lines(of value: JSONValue, under path: String) -> [(name: String, value: String)] {
        switch value {
        case .object(let members):
            members.flatMap { lines(of: $0.value, under: path.isEmpty ? $0.name : "\(path).\($0.name)") }
        case .array(let elements):
            elements.enumerated().flatMap { lines(of: $1, under: "\(path).\($0)") }
        case .text(let text): [(path, text)]
        case .integer(let integer): [(path, String(integer))]
        case .number(let number): [(path, String(number))]
        case .bool(let bool): [(path, String(bool))]
        case .null: [(path, "–")]
        }
    }

    private static let shellText = """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><title>score-server</title>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <style nonce="{{nonce}}">
        :root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; }
        body { margin: 0 auto; max-width: 72rem; padding: 1.5rem; }
        table { border-collapse: collapse; width: 100%; margin: .5rem 0 1.5rem; }
        th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #8884; }
        td { font-variant-numeric: tabular-nums; }
        form { display: flex; gap: .5rem; }
        input { flex: 1; font: inherit; padding: .3rem .5rem; }
        button { font: inherit; padding: .3rem .8rem; }
        </style></head><body>
        <h1>score-server</h1>
        <form id="login">
        <input id="token" type="password" autocomplete="off" placeholder="ssa1.…" aria-label="Admin token">
        <button>Show</button></form>
        <p id="state" role="status"></p>
        <main id="data"></main>
        <script nonce="{{nonce}}">
        const form = document.getElementById("login"), field = document.getElementById("token");
        const state = document.getElementById("state"), data = document.getElementById("data");
        async function show() {
          if (!field.value || document.hidden) return;
          const answer = await fetch("/admin/console", { headers: { Authorization: "Bearer " + field.value } });
          if (answer.ok) { data.innerHTML = await answer.text(); state.textContent = ""; }
          else { state.textContent = "Refused: " + answer.status; }
        }
        form.addEventListener("submit", (event) => { event.preventDefault(); show(); });
        setInterval(show, 5000);
        </script></body></html>
        """

    private static let dataText = """
        <h2>Matches</h2>
        <table><thead><tr><th>Match</th><th>Sides</th><th>Status</th><th>Position</th><th>Streams</th><th>Lag</th>\
        <th>Published</th><th></th></tr></thead><tbody>
        {{#matches}}<tr><td>{{id}}</td><td>{{title}}</td><td>{{status}}</td><td>{{rev}}</td><td>{{streams}}</td>\
        <td>{{lag}}</td><td>{{at}}</td><td>{{held}}</td></tr>
        {{/matches}}
        {{^matches}}<tr><td colspan="8">No matches yet.</td></tr>{{/matches}}
        </tbody></table>
        <h2>Feeds</h2>
        <table><thead><tr><th>Feed</th><th>Provider</th><th>State</th><th>Reason</th><th>Last success</th>\
        <th>Failures</th></tr></thead><tbody>
        {{#feeds}}<tr><td>{{id}}</td><td>{{provider}}</td><td>{{state}}</td><td>{{reason}}</td><td>{{last}}</td>\
        <td>{{failures}}</td></tr>
        {{/feeds}}
        {{^feeds}}<tr><td colspan="6">No feed is configured.</td></tr>{{/feeds}}
        </tbody></table>
        <h2>Pipeline</h2>
        <table><tbody>
        {{#pipeline}}<tr><th>{{name}}</th><td>{{value}}</td></tr>
        {{/pipeline}}
        </tbody></table>
        """
}
