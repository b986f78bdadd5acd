// A feed without its provider's credentials is refused at the start.

import Foundation
import MatchJournal
import Providers
import ScoreIngest
import ScoreTypes
import Testing

@testable import ScoreServer

@Suite struct FeedCredentialTests {
    private static let given = [
        "FEED_PROJECT": "project-1", "FEED_KEY": "key-of-feed", "FEED_SECRET": "secret-of-feed",
    ]

    @Test(arguments: [
        (Provider.sportmonks, "FEED_KEY", "feed main: expected feed.key or feed.key.file to give the API token"),
        (.roanuz, "FEED_KEY", "feed main: expected feed.key or feed.key.file to give the API key"),
        (.roanuz, "FEED_PROJECT", "feed main: expected feed.project to give the id of the project"),
        (.entitySport, "FEED_KEY", "feed main: expected feed.key or feed.key.file to give the access key"),
        (.entitySport, "FEED_SECRET", "feed main: expected feed.secret or feed.secret.file to give the secret key"),
        (.cricketData, "FEED_KEY", "feed main: expected feed.key or feed.key.file to give the API key"),
    ])
    func missingCredentialsAreReported(provider: Provider, missing: String, complaint: String) {
        var environment = Self.given
        environment["FEED_URL"] = "https://feed.example"
        environment["FEED_PROVIDER"] = provider.rawValue
        #expect(ConfigurationLoader.problems(of: environment).isEmpty)
        environment[missing] = nil
        let problems = ConfigurationLoader.problems(of: environment)
        #expect(problems.count == 1 && problems[0].hasPrefix(complaint), "\(problems)")
    }

    @Test func mistakesInAListedFeedAreReportedByField() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "feeds-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        let body = """
            {"feeds":[{"id":"es","provider":"entitysport","url":"https://es.example","keyEnv":"FEEDS_SECRET_ES"},
            {"id":"rz","provider":"roanuz","url":"https://rz.example","keyEnv":"FEEDS_SECRET_ES"}]}
            """
        try Data(body.utf8).write(to: file)
        let problems = ConfigurationLoader.problems(of: ["FEEDS_FILE": file.path, "FEEDS_SECRET_ES": "key-of-both"])
        #expect(problems.count == 2, "\(problems)")
        for expected in [
            "feed es: expected secretEnv or secretFile to give the secret key",
            "feed rz: expected project to give the id of the project",
        ] {
            #expect(problems.contains { $0.hasPrefix(expected) }, "\(problems)")
        }
    }

    @Test func listedFeedsWithoutAGroupShareAGroup() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "feeds-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        let body = """
            {"feeds":[{"id":"a","provider":"cricsheet","url":"https://a.example"},
            {"id":"b","provider":"cricsheet","url":"https://b.example"},
            {"id":"c","provider":"cricsheet","url":"https://c.example","group":"abroad"}]}
            """
        try Data(body.utf8).write(to: file)
        let settings = try ConfigurationLoader.load(
            environment: ["FEEDS_FILE": file.path],
            file: ConfigurationLoader.noFile
        )
        let duties = settings.feeds.map { FeedConfiguration($0).duty }
        // Two nodes that lead one match with different feeds would overwrite each other.
        #expect(duties == ["feeds:default", "feeds:default", "feeds:abroad"])
    }

    @Test func aMissingEnvironmentFileIsAccepted() {
        let environment = ["FEED_URL": "https://feed.example", "FEED_PROVIDER": "cricsheet"]
        #expect(ConfigurationLoader.problems(of: environment).isEmpty)
    }
}
