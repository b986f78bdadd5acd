// A test provider that consists mostly of its list.

import MatchEngine
import MatchSamples
import ScoreTypes

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

/// A provider whose list names matches, start and teams.
///
/// `id start status` on each line of the list; `more` names a second page, `cut` says that there are others, `plan
/// used/limit` counts the day's requests. A match's page is its status, or anything.
struct ListAdapter: Adapter {
    var provider: Provider { .sportmonks }

    func listRequests(_ session: ProviderSession, at now: Instant, replies: ProviderReplies) -> [ProviderRequest] {
        let hasMore = replies[.list].map { String(decoding: $0, as: UTF8.self).contains("more") } ?? false
        return [ProviderRequest(part: .list, path: "/list")]
            + (hasMore ? [ProviderRequest(part: .list.page(2), path: "/list2")] : [])
    }

    func fixtures(_ replies: ProviderReplies, _ session: ProviderSession) throws(AdapterError) -> FixtureListing {
        let text = String(decoding: try replies.required(.list) + (replies[.list.page(2)] ?? []), as: UTF8.self)
        let lines = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        var listing = FixtureListing(
            fixtures: lines.filter { $0.count == 3 }.map { words in
                Fixture(
                    id: ProviderMatchID(unchecked: words[0]),
                    startsAt: Int64(words[1]),
                    status: MatchStatus(rawValue: words[2]),
                    teams: Scorebook().info.teams,
                    format: .t20
                )
            }
        )
        if lines.contains(["cut"]) { listing.cut = [.list] }
        return listing
    }

    func allowance(_ replies: ProviderReplies) -> RequestAllowance? {
        let words = replies[.list].map { String(decoding: $0, as: UTF8.self).split { " /\n".contains($0) } } ?? []
        guard let plan = words.firstIndex(of: "plan"), plan + 2 < words.count else { return nil }
        return RequestAllowance(limit: Int(words[plan + 2]) ?? 0, used: Int(words[plan + 1]) ?? 0)
    }

    func matchRequests(
        _ id: ProviderMatchID,
        _ session: ProviderSession,
        replies: ProviderReplies
    ) -> [ProviderRequest] {
        [ProviderRequest(part: .match, path: "/m/\(id)")]
    }

    func snapshot(_ replies: ProviderReplies, _ session: ProviderSession) throws(AdapterError) -> MatchSnapshot {
        var book = Scorebook()
        let word = String(decoding: try replies.required(.match), as: UTF8.self)
        if let status = MatchStatus(rawValue: word) { book.status = StatusReport(status: status) }
        return book.snapshot
    }
}
