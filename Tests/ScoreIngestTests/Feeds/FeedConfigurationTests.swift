// The requests of a feed from its configuration and its adapter.

import MatchSamples
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import Providers
@testable import ScoreIngest

@Suite struct FeedConfigurationTests {
    @Test("S36: every request of a feed accepts text only")
    func feedsAcceptTextOnly() {
        let feed = FeedConfiguration(
            id: Scorebook.feed,
            baseURL: "https://feed.example",
            adapter: CricsheetAdapter(),
            security: .local()
        )
        #expect(feed.transfer(ProviderRequest(part: .list, path: "/matches"), etag: nil).wantsText)
    }
}
