// A poller sends the same requests to a scripted Sportmonks as to the real one.

import ScoreTypes
import TestSupport

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

/// Polls one feed of Sportmonks with a fast clock during a test.
enum SportmonksFeed {
    static func run(
        _ server: ScriptedServer,
        _ sink: RecordingSink,
        _ body: (IngestService) async throws -> Void
    ) async throws {
        let service = IngestService(
            feeds: [
                FeedConfiguration(
                    id: FeedID(unchecked: "sm"),
                    baseURL: server.url,
                    adapter: SportmonksAdapter(),
                    credentials: ProviderCredentials(key: Secret("the-key")),
                    security: .local()
                )
            ],
            driver: TransferDriver(name: "test-sportmonks"),
            clock: ServiceClock(speed: 10_000),
            mayPoll: { _ in true },
            makeSink: { _, _ in sink }
        )
        let task = Task { await service.run() }
        defer {
            task.cancel()
            server.stop()
        }
        try await body(service)
    }
}
