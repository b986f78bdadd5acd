// Every provider of the settings has a feed with that provider's adapter.

import Providers
import ScoreIngest
import ScoreTypes
import Testing

@testable import ScoreServer

@Suite struct FeedProviderTests {
    @Test(arguments: Provider.allCases) func everyProviderCanBeConfigured(provider: Provider) throws {
        let settings = try ConfigurationLoader.load(
            environment: [
                "FEED_URL": "https://feed.example", "FEED_PROVIDER": provider.rawValue, "FEED_KEY": "key-of-feed",
                "FEED_SECRET": "secret-of-feed", "FEED_PROJECT": "project",
            ],
            file: ConfigurationLoader.noFile
        )
        let feed = settings.feeds.first.flatMap { FeedConfiguration($0) }
        #expect(feed?.adapter.provider == provider)
    }
}
