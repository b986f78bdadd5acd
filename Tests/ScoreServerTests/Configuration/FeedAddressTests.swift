// A feed whose requests its policy would refuse is refused at the start.

import Foundation
import Testing

@testable import ScoreServer

@Suite struct FeedAddressTests {
    @Test(arguments: [
        "https://feed.example:8443", "https://10.0.0.5", "https://127.0.0.1/", "https://169.254.169.254/v5",
        "http://feed.example", "http://inner.example.evil.example", "https://user@feed.example", "ftp://feed.example",
        "feed.example", "https://",
    ])
    func anAddressThatThePolicyRefusesIsReported(url: String) {
        let problems = ConfigurationLoader.problems(of: ["FEED_URL": url, "FEED_PLAIN_HTTP_HOSTS": "inner.example"])
        let complaint = "feed main: expected feed.url to be https://HOST with a public host, port 443 and no user name"
        #expect(problems.count == 1 && problems[0].hasPrefix(complaint), "\(problems)")
        #expect(problems.allSatisfy { $0.contains("a host of feed.plain.http.hosts may also have http, any port") })
    }

    @Test(arguments: [
        "https://feed.example/v5", "https://FEED.example:443", "https://8.8.8.8", "http://127.0.0.1:8090",
        "https://inner.example:8443", "http://inner.example",
    ])
    func anAddressThatThePolicyPermitsIsAccepted(url: String) {
        let environment = ["FEED_URL": url, "FEED_PLAIN_HTTP_HOSTS": "127.0.0.1, inner.example"]
        #expect(ConfigurationLoader.problems(of: environment).isEmpty)
    }

    @Test func theAddressOfAListedFeedIsReportedByField() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "feeds-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        let body = """
            {"feeds":[{"id":"a","provider":"cricsheet","url":"https://a.example:8443"},
            {"id":"b","provider":"cricsheet","url":"https://b.example:8443","plainHttpHosts":["b.example"]}]}
            """
        try Data(body.utf8).write(to: file)
        let problems = ConfigurationLoader.problems(of: ["FEEDS_FILE": file.path])
        #expect(problems.count == 1, "\(problems)")
        #expect(problems.allSatisfy { $0.hasPrefix("feed a: expected url to be https://HOST") })
        #expect(problems.allSatisfy { $0.contains("a host of plainHttpHosts may also have http") })
    }
}
