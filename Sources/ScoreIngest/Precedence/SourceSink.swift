// One feed's way to a match that others may tell as well.

internal import MatchEngine
internal import ScoreTypes

/// Gives what a feed says to the match's writer while the feed speaks for it, and compares it while another does.
struct SourceSink: ReplySink {
    let desk: SourceDesk
    let id: SourceDesk.SinkID
    let match: MatchID
    let feed: FeedID

    func accept(_ reply: SeenReply) async throws -> Acceptance {
        let writer = await desk.writer(of: match, feed)
        let (stored, speaker) = try await writer.told()
        if let speaker { await desk.recall(speaker, of: match) }
        let isResting = PollPhase(of: reply.snapshot.status.status) != .live
        if await desk.isUncontested(match, feed) {
            _ = await desk.answered(match, feed, isResting: isResting)
            return try await writer.accept(reply)
        }
        let names = Namesakes(reply.snapshot, in: stored)
        await desk.keep(reply, of: match, feed, against: stored, sides: names.hasSameSides)
        // Whose sides are others tells another match: it never speaks.
        guard names.hasSameSides else { return .standby }
        if await desk.leader(of: match) == feed {
            let acceptance = try await writer.accept(reply)
            // Who answers rubbish is as silent as who does not answer, and another speaks for it.
            if case .dropped = acceptance { return acceptance }
            _ = await desk.answered(match, feed, isResting: isResting)
            return acceptance
        }
        let speaks = await desk.answered(
            match,
            feed,
            isBehind: desk.understudy(match, feed)?.isBehind(stored) ?? false,
            isResting: isResting,
            isOver: stored.isOver
        )
        return speaks ? try await writer.accept(reply) : .standby
    }

    func unchanged(seenAt: Instant, source: JournalSource?) async throws {
        let writer = await desk.writer(of: match, feed)
        let didLead = await desk.leads(match, feed)
        let kept = await desk.understudy(match, feed)
        let isResting = kept?.reply.map { PollPhase(of: $0.snapshot.status.status) != .live } ?? false
        if kept?.disagreements.contains(.sides) == true { return }
        // What it told last is as old as that: the match may have gone on since.
        let stored = didLead ? nil : try await writer.known()
        let speaks = await desk.answered(
            match,
            feed,
            isBehind: stored.flatMap { kept?.isBehind($0) } ?? false,
            isResting: isResting,
            isOver: stored?.isOver ?? false
        )
        guard speaks else { return }
        // Who speaks from now on has told its picture before, and nobody has written it down.
        if !didLead, let reply = kept?.reply {
            _ = try await writer.accept(SeenReply(reply.snapshot, seenAt: seenAt, source: reply.source, raw: reply.raw))
        } else {
            try await writer.unchanged(seenAt: seenAt, source: source)
        }
    }

    func tick() async throws -> Duration? { try await desk.writer(of: match, feed).tick() }

    func announce(_ fixture: Fixture, source: JournalSource) async throws {
        try await desk.writer(of: match, feed).announce(fixture, source: source)
    }

    func known() async throws -> MatchRecord {
        // Keys and places of another provider tell this one's adapter nothing.
        if await !desk.leads(match, feed) { return await desk.understudy(match, feed)?.record ?? MatchRecord() }
        return try await desk.writer(of: match, feed).known()
    }

    func removed() async throws {
        guard await desk.isAlone(match) else { return }
        try await desk.writer(of: match, feed).removed()
    }

    func wantsLook() async -> Bool {
        guard await desk.leads(match, feed) else { return false }
        return await desk.writer(of: match, feed).wantsLook()
    }

    func asksAgain(in interval: Duration) async {
        await desk.asksAgain(match, feed, in: interval)
        if await desk.leads(match, feed) { await desk.writer(of: match, feed).asksAgain(in: interval) }
    }

    func close() async { await desk.close(match, id) }
}

extension MatchWriter {
    /// The match as the journal has it, and the feed that spoke for it last; nil before any has.
    ///
    /// - Throws: `JournalError`.
    fileprivate func told() async throws(JournalError) -> (record: MatchRecord, speaker: FeedID?) {
        let record = try await known()
        return (record, state?.feed.flatMap { FeedID($0) })
    }
}

extension MatchRecord {
    /// Whether nothing more is to come but late corrections.
    fileprivate var isOver: Bool { PollPhase(of: status.status) == .over }
}
