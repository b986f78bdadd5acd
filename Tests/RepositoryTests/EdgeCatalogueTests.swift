// Each fault of clients (C) and control (S) of the public edge has a test against `serve` as a process, or a reason.

import Testing

@Suite struct EdgeCatalogueTests {
    /// The rows: faults of clients, and the controls of transport, credentials, input, abuse, supply chain and privacy.
    private static let rows =
        (1...24).map { "C\($0)" } + (1...31).map { "S\($0)" } + (46...58).map { "S\($0)" }

    /// The rows without a test against a process, and where they are covered.
    private static let elsewhere: [String: String] = [
        "C2": "StreamEndTests: the kernel of the client must not send a FIN, which only a socket of the test can do.",
        "C3": "`score-lab bench streams`: 20,000 clients return after a restart.",
        "C21": "`make client-histories`: ScoreClient plays histories of an app that was killed or updated.",
        "C23": "`score-lab bench fanout`: the fan-out to a large audience is not part of the edge.",
        "C24": "A match without followers is not part of the edge.",
        "S13": "AdminRouteTests: roles belong to the internal listener.",
        "S17": "AdminTests and LoginTests: the clock of the growing wait is moved.",
        "S18": "The console has no OpenID Connect.",
        "S19": "SessionTests: the console belongs to the internal listener.",
        "S20": "SessionTests: the console belongs to the internal listener.",
        "S21": "HostileNamesTests: the console belongs to the internal listener.",
        "S22": "ConsoleTests: the console belongs to the internal listener.",
        "S23": "AdminTests: operators use the internal listener.",
        "S24": "AdminRouteTests: operators use the internal listener.",
        "S28": "AdapterFuzzTests: the characters are removed when a reply is read.",
        "S31": "StyleTests and `make fuzz`: the rule is about the source.",
        "S47": "PushDispatcherTests: the rates of pushes are not part of the edge.",
        "S48": "FlagTests: operators use the internal listener.",
        "S49": "PushDispatcherTests: Apple's answers are not part of the edge.",
        "S54": "The supply chain is checked where releases are made.",
        "S55": "The supply chain is checked where releases are made.",
        "S56": "The supply chain is checked where releases are made.",
        "S58": "FollowServiceTests and MatchJournalTests: the clock of the retention is moved.",
    ]

    /// Whether the tests of a file start the server as a process.
    private static func usesProcess(_ file: SourceFile) -> Bool {
        file.path.has("/ScoreServerTests/Edge/") || file.text.has("\"score-server\",")
            || file.text.has("ProxiedServer(")
    }

    /// The rows that the names of tests begin with, such as `"C5, S3: a slow client is cut"`.
    private static func named(in file: SourceFile) -> [String] {
        file.lines(with: "\"C", "\"S").flatMap { _, line in
            line.firstMatch(of: #/^\s*(?:@Test\()?"((?:[CSH]\d+, )*[CSH]\d+): /#)
                .map { $0.1.split(separator: ", ").map(String.init) } ?? []
        }
    }

    @Test func everyRowHasATestOrAReason() {
        let files = Repository.tests.filter(Self.usesProcess)
        let tested = Set(files.flatMap(Self.named))
        for row in Self.rows {
            let reason = Self.elsewhere[row]
            #expect(tested.contains(row) || reason != nil, "\(row) is in no name of a test against a process")
            #expect(!tested.contains(row) || reason == nil, "\(row) has a test and needs no reason")
        }
        #expect(Set(Self.elsewhere.keys).isSubset(of: Self.rows))
    }

    @Test func everyReasonNamesWhatExists() {
        let names = Set(
            Repository.tests.flatMap { [$0.target, $0.path.split(separator: "/").last.map(String.init) ?? ""] }
        )
        for (row, reason) in Self.elsewhere {
            for match in reason.matches(of: #/\w+Tests\b/#) {
                let name = String(match.output)
                #expect(names.contains(name) || names.contains("\(name).swift"), "\(row): there is no \(name)")
            }
        }
    }
}
