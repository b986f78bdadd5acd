// Settings: their precedence, complete error messages, and generated documentation.

import Foundation
import MatchEngine
import MatchJournal
import Providers
import PushDispatcher
import ScoreIngest
import ScoreTypes
import Testing

@testable import ScoreServer

@Suite struct ConfigurationTests {
    private static func load(
        _ environment: [String: String] = [:],
        file: String = ConfigurationLoader.noFile
    ) throws -> ServerConfiguration {
        try ConfigurationLoader.load(environment: environment, file: file)
    }

    private static func problems(_ body: () throws -> ServerConfiguration) -> [String] {
        do {
            _ = try body()
            return []
        } catch {
            return (error as? ConfigurationProblems)?.sentences ?? ["\(error)"]
        }
    }

    @Test func aNamedFileHasToExist() {
        let problems = Self.problems { try Self.load(file: "/nonexistent/.env") }
        #expect(problems == ["/nonexistent/.env: expected a settings file that this user can read"])
        #expect(Self.problems { try Self.load(file: "/") }.count == 1)
    }

    @Test func theInternalListenerStaysOnLoopbackUnlessAllowed() throws {
        func load(_ host: String, _ exposed: String) throws -> ScoreServer.ServerConfiguration {
            let variables = ["HTTP_INTERNAL_HOST": host, "HTTP_INTERNAL_EXPOSED": exposed]
            return try ConfigurationLoader.load(environment: variables, file: ConfigurationLoader.noFile)
        }
        for host in ["127.0.0.1", "127.0.0.2", "::1", "localhost"] {
            #expect(try load(host, "false").internalAddress.isLoopback)
        }
        for host in ["0.0.0.0", "::", "10.0.0.5", "admin.example.org"] {
            #expect(throws: ConfigurationProblems.self) { try load(host, "false") }
            #expect(try !load(host, "true").internalAddress.isLoopback)
        }
    }

    @Test func defaultsStartAServer() throws {
        let settings = try Self.load()
        #expect(settings.publicAddress == ListenAddress(host: "127.0.0.1", port: 8080))
        #expect(settings.databaseURL == nil && settings.feeds.isEmpty && settings.push.key == nil)
        let sandbox = try #require(settings.push.environments[.sandbox])
        #expect(sandbox.push.host == "api.sandbox.push.apple.com")
        #expect(sandbox == DispatcherConfiguration.Endpoints.apple(.sandbox))
        #expect(settings.push.environments.count == 1)
        #expect(settings.limits[.read] == Quota(count: 120, per: .seconds(60)))
    }

    @Test func theExampleOfTheFeedsPageIsValid() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/feeds.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let example = try #require(text.firstMatch(of: /```json\n((?s).*?)```/)?.1)
        let folder = FileManager.default.temporaryDirectory.appending(path: "feeds-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // The secret is in a file of this machine; all else is as printed.
        let secret = folder.appending(path: "roanuz")
        try Data("key-of-roanuz".utf8).write(to: secret)
        let file = folder.appending(path: "feeds.json")
        let body = example.replacing("/run/secrets/roanuz", with: secret.path)
        #expect(body != String(example), "the example has a file of a secret")
        try Data(body.utf8).write(to: file)
        let settings = try Self.load([
            "FEEDS_FILE": file.path, "FEEDS_SECRET_SM": "key-of-sportmonks", "FEEDS_SECRET_RZ_NOTICE": "notice",
        ])
        #expect(settings.feeds.map(\.id.text) == ["sm", "rz"])
        #expect(settings.feeds.map(\.provider) == [.sportmonks, .roanuz])
        #expect(settings.feeds.map(\.credentials.key?.text) == ["key-of-sportmonks", "key-of-roanuz"])
        #expect(settings.feeds.map(\.precedence) == [1, 2] && settings.feeds.map(\.group) == ["main", "main"])
        #expect(settings.feeds[0].marquee == ["Indian Premier League"] && settings.feeds[0].hourlyRequests == 2_000)
        #expect(settings.feeds[1].credentials.project == "RS_P_1" && settings.feeds[1].noticeSecret != nil)
    }

    @Test func bothAPNsEnvironmentsHaveTheirOwnHosts() throws {
        let endpoints = try Self.load(["APNS_ENVIRONMENT": "both"]).push.environments
        #expect(endpoints[.production]?.push.host == "api.push.apple.com")
        #expect(endpoints[.production]?.management.port == 2196)
        #expect(endpoints[.sandbox]?.management.port == 2195)
        let one = ["APNS_ENVIRONMENT": "both", "APNS_PUSH_HOST": "localhost"]
        #expect(Self.problems { try Self.load(one) }.contains { $0.hasPrefix("apns.push.host must be empty") })
    }

    @Test func theEnvironmentOverridesTheFile() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).env")
        try "# ports\nHTTP_PUBLIC_PORT=1000\nHTTP_INTERNAL_PORT = \"2000\"\nNODE_ID=file\n".write(
            to: file,
            atomically: true,
            encoding: .utf8
        )
        defer { try? FileManager.default.removeItem(at: file) }
        let environment = ["HTTP_PUBLIC_PORT": "1001", "NODE_ID": "environment"]
        let settings = try Self.load(environment, file: file.path)
        #expect(settings.publicAddress.port == 1001)
        #expect(settings.internalAddress.port == 2000)
        #expect(settings.node.text == "environment")
    }

    @Test("H15: all problems are reported at once, with key and expectation")
    func allProblemsAreReportedAtOnceWithKeyAndExpectation() throws {
        let sentences = Self.problems {
            try Self.load([
                "HTTP_PUBLIC_PORT": "70000", "CLOCK_SPEED": "10", "LOG_LEVEL": "loud", "LIMITS_READ": "many",
                "APNS_KEY_FILE": "key.p8", "NODE_ID": "a b", "FEED_URL": "ftp://x", "DEEPLINK_SCHEME": "a b",
            ])
        }
        let text = sentences.joined(separator: "\n")
        for part in [
            "http.public.port (HTTP_PUBLIC_PORT) must be a whole number from 0 to 65535, but is \"70000\"",
            "clock.speed above 1 needs simulation.allowed=true", "log.level (LOG_LEVEL) must be one of trace",
            "limits.read (LIMITS_READ) must be count/seconds", "apns.key.id must be", "apns.bundle.id must be set",
            "node.id must be 1 to 64", "feed main: expected feed.url to be https://HOST", "deeplink.scheme must be",
        ] {
            #expect(text.contains(part), "\(part)")
        }
    }

    @Test func scoreStyleAndMomentLevelsAreRead() throws {
        let levels = "fifty:test=loud, maiden:*=off,haul:t20=4 , teamHundred:odi=spoken"
        let engine = try Self.load(["SCORE_STYLE": "wickets-runs", "MOMENTS_LEVELS": levels]).engine
        #expect(engine.scoreStyle == .wicketsRuns)
        #expect(engine.moments[.fifty, .test] == .loud && engine.moments[.fifty, .firstClass] == .quiet)
        #expect(engine.moments[.maiden, .t20] == .off && engine.moments[.maiden, .test] == .off)
        #expect(engine.moments[smallestHaul: .t20] == 4 && engine.moments[teamHundred: .odi] == .spoken)
        #expect(try Self.load().engine == EngineOptions())
    }

    @Test func theNewestLayoutIsAnOption() throws {
        #expect(try Self.load().engine.newestLayout == .newest)
        #expect(try Self.load(["CONTENT_LAYOUT_NEWEST": "1"]).engine.newestLayout == .one)
        let problems = Self.problems { try Self.load(["CONTENT_LAYOUT_NEWEST": "3"]) }
        #expect(problems.count == 1 && problems[0].contains("a whole number from 1 to 2"))
    }

    @Test(arguments: ["fifty=loud", "fifty:baseball=loud", "fifty:test=shout", "home run:test=loud", "haul:test=1"])
    func anInvalidLevelIsReported(item: String) {
        let problems = Self.problems { try Self.load(["MOMENTS_LEVELS": item]) }
        #expect(problems.count == 1 && problems[0].contains("moments.levels: \(item)"))
    }

    @Test func problemsContainNoSecrets() {
        let keys = ConfigurationKeys.all.filter(\.isSecret).map(\.name)
        #expect(keys == ["database.url", "feed.key", "feed.secret", "feed.notice.secret"])
    }

    @Test func onlyASimulationMayRunFast() throws {
        #expect(try Self.load(["CLOCK_SPEED": "60", "SIMULATION_ALLOWED": "true"]).clockSpeed == 60)
    }

    @Test("H15: unknown names in the file are refused") func unknownNamesInTheFileAreRefused() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).env")
        try "HTTP_PUBLIC_PROT=1000\nnonsense\n".write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let sentences = Self.problems { try Self.load(file: file.path) }
        #expect(sentences.contains { $0.contains("line 1: HTTP_PUBLIC_PROT is not a key") })
        #expect(sentences.contains { $0.contains("line 2 must have the form NAME=value") })
    }

    @Test func unknownNamesInTheEnvironmentAreFound() {
        let unknown = ["FEED_PORT", "FEED_ULR", "HTTP_PUBLIC_TRUSTED_PROXY", "LIMITS_READS"]
        let others = [
            "PATH", "HOME", "HTTP", "PGSSLROOTCERT", "NOTIFY_SOCKET", "LOGS_DIRECTORY", "LOG_NAMESPACE", "HTTP_PROXY",
            "FEEDS_SECRET_SM", "SCORE_ADMIN_TOKEN",
        ]
        let names = unknown + others + ConfigurationKeys.all.map(\.environmentName)
        let environment = Dictionary(uniqueKeysWithValues: names.map { ($0, "x") })
        #expect(EnvironmentNames.unknown(in: environment) == unknown)
    }

    @Test func everyKeyIsDocumentedOnceWithItsDefault() {
        let names = ConfigurationKeys.all.map(\.name)
        #expect(Set(names).count == names.count)
        for key in ConfigurationKeys.all { #expect(key.doc.hasSuffix("."), "\(key.name)") }
        for policy in RatePolicy.allCases { #expect(names.contains("limits.\(policy.rawValue)")) }
    }

    @Test func theExampleFileIsGenerated() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appending(path: ".env.example")
        if ProcessInfo.processInfo.environment["WRITE_EXAMPLES"] != nil {
            try EnvironmentFile.example.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == EnvironmentFile.example)
        #expect(EnvironmentFile.complaints(about: EnvironmentFile.example, named: "x").isEmpty)
    }
}

extension EnvironmentFile {
    /// The text of `.env.example`: every key with its documentation, commented out at its default.
    fileprivate static var example: String {
        var text = """
            # Settings of score-server. Copy to .env and change what you need; the environment wins over the file.
            # An empty value counts as not set. Generated from the keys in Sources/ScoreServer/Configuration.

            """
        for key in ConfigurationKeys.all {
            let fallback = key.defaultText.isEmpty ? "empty" : key.defaultText
            text += "\n# \(key.name): \(key.doc)\n# Expects \(key.kind.expectation); default \(fallback).\n"
            text += "#\(key.environmentName)=\(key.defaultText)\n"
        }
        return text
    }
}
