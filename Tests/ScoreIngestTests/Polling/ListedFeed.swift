// A poller's work on a list is observed from outside: by its requests, and by its calls of the sink.

import MatchEngine
import ScoreTypes
import Synchronization
import TestSupport

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

/// The sink of a match that cannot be written.
private struct RefusingSink: ReplySink {
    let error: JournalError

    func accept(_ reply: SeenReply) async throws -> ReplyResult { throw error }
    func unchanged(seenAt: Instant, source: JournalSource) async throws -> Duration? { throw error }
    func tick(nextPollIn: Duration?) async throws -> Duration? { nil }
    func announce(_ fixture: Fixture, source: JournalSource) async throws { throw error }
    func isInPlay() async throws -> Bool { false }
    func removed() async throws { throw error }
}

/// A feed whose list and matches a test sets, with a clock that moves on request.
final class ListedFeed: Sendable {
    static let feed = FeedID(unchecked: "list")
    /// nil while the list is down.
    let list: Mutex<String?>
    let match: Mutex<String>
    let aliases = Mutex(AliasTable())
    let hand = ManualClock()
    let opened = Mutex<[MatchID]>([])
    let sink = RecordingSink()

    init(_ list: String?, match: String = "x") {
        self.list = Mutex(list)
        self.match = Mutex(match)
    }

    func running(
        unfinished: [UnfinishedMatch] = [],
        refused: [String: JournalError] = [:],
        _ body: (ScriptedServer, IngestService) async throws -> Void
    ) async throws {
        let server = try ScriptedServer { [self] request, write in
            let text = request.path == "/list" ? list.withLock { $0 } : match.withLock { $0 }
            guard let text else { return write(ScriptedServer.reply(status: 500)) }
            return write(ScriptedServer.reply(body: Array(text.utf8)))
        }
        let service = IngestService(
            feeds: [
                FeedConfiguration(id: Self.feed, baseURL: server.url, adapter: ListAdapter(), security: .local())
            ],
            driver: TransferDriver(name: "test-list"),
            clock: hand.clock(),
            mayPoll: { _ in true },
            makeSink: { [self] match, _ in
                opened.withLock { $0.append(match) }
                return refused[match.text].map { RefusingSink(error: $0) } ?? sink
            },
            unfinished: { _ in unfinished },
            aliases: { [self] in self.aliases.withLock { $0 } }
        )
        let task = Task { await service.run() }
        defer {
            task.cancel()
            server.stop()
        }
        try await body(server, service)
    }
}
