// Events of the writers are captured beside the path of a ball, and never delay it.

internal import Foundation
internal import Logging
internal import MatchEngine
public import MatchJournal
internal import Metrics
public import Providers
public import ScoreTypes
internal import Synchronization

/// Keeps the last raw replies of each feed, bounded, without secrets.
public final class CaptureStore: Sendable {
    /// How much is kept of each feed.
    public struct Bounds: Sendable, Hashable {
        /// Entries.
        public let records: Int
        /// Bytes on disk.
        public let bytes: Int

        /// Sets the bounds.
        public init(records: Int = 50_000, bytes: Int = 256 * 1024 * 1024) {
            self.records = max(8, records)
            self.bytes = max(64 * 1024, bytes)
        }
    }

    private enum Item: Sendable {
        case event(CaptureEvent, isAfterLoss: Bool)
        case capture(FeedCapture)
        case mark(CheckedContinuation<Void, Never>)
    }

    private let directory: String
    private let bounds: Bounds
    private let clock: ServiceClock
    private let stream: AsyncStream<Item>
    private let continuation: AsyncStream<Item>.Continuation
    private let waitingBytes = Atomic<Int>(0)
    private let secrets: Mutex<[FeedID: KnownSecrets]>
    /// Matches whose newest entry was dropped.
    private let lost = Mutex<Set<MatchID>>([])
    private let metrics = CaptureMetrics()
    private let log = Logger(label: "score.captures")

    /// Makes a store; nothing is written before `run`.
    ///
    /// - Parameters:
    ///   - directory: Created with the first entry; it has one folder for each feed.
    ///   - bounds: How much is kept of each feed.
    ///   - credentials: The credentials of the feeds, which are removed wherever a provider repeats them.
    ///   - clock: Measures pauses.
    public init(
        directory: String,
        bounds: Bounds = Bounds(),
        credentials: [FeedID: ProviderCredentials],
        clock: ServiceClock
    ) {
        self.directory = directory
        self.bounds = bounds
        self.clock = clock
        (stream, continuation) = AsyncStream.makeStream(
            of: Item.self,
            bufferingPolicy: .bufferingOldest(IngestLimits.waitingCapturesMax)
        )
        secrets = Mutex(credentials.mapValues { KnownSecrets($0) })
    }

    /// Takes an event of a writer; returns at once.
    public func take(_ event: CaptureEvent) {
        // The events of a match are in order: a dropped one is missing before the next one.
        let isAfterLoss = lost.withLock { $0.remove(event.match) } != nil
        if offer(.event(event, isAfterLoss: isAfterLoss), of: event.feed, bytes: event.byteCount) { return }
        _ = lost.withLock { $0.insert(event.match) }
    }

    /// Takes a session, unreadable replies or aliases; returns at once.
    public func take(_ capture: FeedCapture) {
        if case .session(_, let session) = capture.kind, let token = session.token {
            secrets.withLock { $0[capture.feed, default: KnownSecrets()].take(token) }
        }
        _ = offer(.capture(capture), of: capture.feed, bytes: capture.byteCount)
    }

    /// Takes a new alias table with every feed, since the folder of each feed can be replayed alone.
    public func take(_ table: AliasTable, of feeds: [FeedConfiguration], at now: Instant) {
        for feed in feeds { take(FeedCapture(feed: feed.id, wall: now, kind: .aliases(table))) }
    }

    /// Waits until everything that was taken is written.
    public func drain() async {
        await withCheckedContinuation { waiter in
            if case .enqueued = continuation.yield(.mark(waiter)) { return }
            waiter.resume()
        }
    }

    /// Writes until cancelled.
    public func run() async {
        let run = clock.wall.milliseconds
        var feeds: [FeedID: FeedFiles] = [:]
        var number: Int64 = 0
        for await item in stream {
            let record: CaptureRecord
            var state: () -> CaptureRecord? = { nil }
            switch item {
            case .mark(let waiter):
                waiter.resume()
                continue
            case .event(let event, _):
                record = CaptureRecord(event, clean: clean)
                state = { CaptureRecord(stateBefore: event, clean: self.clean) }
                release(event.byteCount)
            case .capture(let capture):
                record = CaptureRecord(capture, clean: clean)
                release(capture.byteCount)
            }
            let feed = record.head.feed
            var files = feeds[feed] ?? FeedFiles(folder: CaptureFolder(path: "\(directory)/\(feed)", bounds: bounds))
            if case .event(let event, isAfterLoss: true) = item { files.basis.lost(event.match) }
            number += 1
            write(record.placed(run: run, number: number), to: &files, state)
            feeds[feed] = files
        }
        for feed in feeds.keys { feeds[feed]?.folder.close() }
    }

    /// The files of a feed, and the beginning of the next one.
    private struct FeedFiles {
        var folder: CaptureFolder
        var basis = CaptureBasis()
    }

    private func write(_ record: CaptureRecord, to files: inout FeedFiles, _ state: () -> CaptureRecord?) {
        let (feed, head) = (record.head.feed, record.head)
        // Later entries depend on it, written or not.
        defer { files.basis.take(record) }
        guard let bytes = record.encoded() else {
            files.basis.fileBegan()
            return metrics.dropped(feed, "memory")
        }
        do throws(CaptureFolder.Refusal) {
            let now = clock.monotonic
            if try files.folder.makeRoom(for: bytes.count, now: now) { files.basis.fileBegan() }
            for entry in files.basis.entries(before: record, state) {
                let basis = entry.placed(run: head.run, number: head.number)
                try append(basis, of: feed, to: &files.folder, now: now)
            }
            try files.folder.append(bytes, now: now)
            metrics.kept(feed, bytes.count)
        } catch {
            // The next entries need a new basis.
            files.basis.fileBegan()
            metrics.dropped(feed, error.rawValue)
            if error == .disk { log.warning("capture not written", metadata: ["feed": "\(feed)"]) }
        }
    }

    /// Writes an entry of the basis; one that is larger than a file is left out, and a replay skips what needs it.
    private func append(
        _ basis: CaptureRecord,
        of feed: FeedID,
        to folder: inout CaptureFolder,
        now: Duration
    ) throws(CaptureFolder.Refusal) {
        guard let bytes = basis.encoded() else { return metrics.dropped(feed, "memory") }
        do throws(CaptureFolder.Refusal) { try folder.append(bytes, isBasis: true, now: now) } catch {
            guard error == .tooLarge else { throw error }
            metrics.dropped(feed, error.rawValue)
        }
    }

    private func offer(_ item: Item, of feed: FeedID, bytes: Int) -> Bool {
        let waiting = waitingBytes.add(bytes, ordering: .relaxed).newValue
        if waiting <= IngestLimits.waitingCaptureBytesMax, case .enqueued = continuation.yield(item) { return true }
        release(bytes)
        metrics.dropped(feed, "busy")
        return false
    }

    private func release(_ bytes: Int) { waitingBytes.subtract(bytes, ordering: .relaxed) }

    /// A body with dashes for the secrets of all feeds: the writer of a match gets replies of several feeds.
    private func clean(_ body: [UInt8]) -> [UInt8] {
        secrets.withLock { $0.values.reduce(KnownSecrets()) { $0.joined(with: $1) } }.struck(from: body)
    }
}

extension CaptureEvent {
    /// Bytes of its bodies, and of the balls of its state.
    fileprivate var byteCount: Int {
        let known = (stateBefore?.record.deliveries.count ?? 0) * MemoryLayout<Delivery>.stride
        guard case .event(.reply(let reply)) = kind, let raw = reply.raw else { return known }
        return known + raw.parts.values.reduce(0) { $0 + $1.count }
    }
}

extension FeedCapture {
    /// Bytes of its bodies.
    fileprivate var byteCount: Int {
        switch kind {
        case .session(_, let session): session.tables.byteCount
        case .unreadable(_, let replies, _): replies.byteCount
        case .aliases: 0
        }
    }
}

extension ProviderReplies {
    /// Bytes of all bodies.
    var byteCount: Int { parts.reduce(0) { $0 + (self[$1]?.count ?? 0) } }
}

/// Counts written and dropped entries.
private struct CaptureMetrics: Sendable {
    func kept(_ feed: FeedID, _ bytes: Int) {
        Counter(label: "score_feed_captures_total", dimensions: [("feed", feed.text)]).increment()
        Counter(label: "score_feed_capture_bytes_total", dimensions: [("feed", feed.text)]).increment(by: bytes)
    }

    func dropped(_ feed: FeedID, _ reason: String) {
        let dimensions = [("feed", feed.text), ("reason", reason)]
        Counter(label: "score_feed_captures_dropped_total", dimensions: dimensions).increment()
    }
}
