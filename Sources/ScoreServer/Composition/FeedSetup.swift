// Settings become the feeds and captures of ScoreIngest.

import CurlTransfer
import MatchJournal
import Providers
import ScoreIngest
import ScoreTypes

extension FeedConfiguration {
    /// The feed of the settings.
    init(_ feed: FeedSettings) {
        self.init(
            id: feed.id,
            baseURL: feed.url,
            adapter: AdapterRegistry.adapter(for: feed.provider),
            credentials: feed.credentials,
            security: feed.security,
            hourlyRequests: feed.hourlyRequests,
            precedence: feed.precedence,
            duty: feed.group.map { "feeds:\($0)" },
            marquee: Set(feed.marquee),
            isPushed: feed.noticeSecret != nil
        )
    }
}

extension FeedSettings {
    /// The hosts of its requests; one without TLS is this machine or in its network.
    var security: HostPolicy {
        let plain = Set(plainHTTPHosts)
        return HostPolicy(hosts: [Self.host(of: url)], plainHosts: plain, privateHosts: plain)
    }

    private static func host(of url: String) -> String {
        let rest = url.drop { $0 != ":" }.dropFirst(3)
        return String(rest.prefix { $0 != "/" && $0 != ":" })
    }
}

extension CaptureStore {
    /// Receives the events of a writer.
    var recorder: @Sendable (CaptureEvent) -> Void { { [self] event in take(event) } }

    /// The captures of the settings; nil when none are stored.
    convenience init?(_ settings: ServerConfiguration, clock: ServiceClock) {
        guard let captures = settings.captures else { return nil }
        self.init(
            directory: captures.directory,
            bounds: Bounds(records: captures.records, bytes: captures.bytes),
            credentials: Dictionary(settings.feeds.map { ($0.id, $0.credentials) }) { first, _ in first },
            clock: clock
        )
    }
}
