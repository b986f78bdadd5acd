// What goes on around a list is seen from outside: by what is asked, and by what is handed over.

import MatchEngine
import ScoreTypes
import Synchronization
import TestSupport

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

/// A match that cannot be written down.
private struct RefusingSink: ReplySink {
    let error: JournalError

    func accept(_ reply: SeenReply) async throws -> Acceptance { throw error }
    func unchanged(seenAt: Instant, source: JournalSource?) async throws { throw error }
    func tick() async throws -> Duration? { nil }
    func announce(_ fixture: Fixture, source: JournalSource) async throws { throw error }
    func known() async throws -> MatchRecord { MatchRecord() }
    func removed() async throws { throw error }
}

/// A feed whose list and matches say what a test wants, with a clock that stands still until it is moved.
final class ListStage: Sendable {
    static let feed = FeedID(unchecked: "list")
    /// nil while the list is down.
    let list: Mutex<String?>
    let match: Mutex<String>
    let book = Mutex(AliasBook())
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
            aliases: { [self] in book.withLock { $0 } }
        )
        let task = Task { await service.run() }
        defer {
            task.cancel()
            server.stop()
        }
        try await body(server, service)
    }
}
