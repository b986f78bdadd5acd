// One feed's way to a match that others may tell as well.

internal import MatchEngine
internal import MatchJournal
internal import ScoreTypes

/// Gives what a feed says to the match's writer while the feed speaks for it, and compares it while another does.
struct SourceSink: ReplySink {
    let desk: SourceDesk
    let id: SourceDesk.SinkID
    let match: MatchID
    let feed: FeedID

    func accept(_ reply: SeenReply) async throws -> Acceptance {
        let writer = await desk.writer(of: match, feed)
        let told = try await recall(writer)
        let stored = told.record
        let isResting = PlayPhase(of: reply.snapshot.status.status) != .live
        let hasSameSides = Namesakes(reply.snapshot, in: stored).hasSameSides
        if await desk.isUncontested(match, feed), hasSameSides || told.home == feed {
            _ = await desk.answered(match, feed, isResting: isResting)
            return try await tell(writer, reply, over: stored)
        }
        await desk.keep(reply, of: match, feed, against: stored, sides: hasSameSides)
        // Whose sides are others tells another match: it never speaks.
        guard hasSameSides else { return .standby }
        if await desk.leader(of: match) == feed {
            let acceptance = try await tell(writer, reply, over: stored)
            if await desk.isAnswer(acceptance, of: match) {
                _ = await desk.answered(match, feed, isResting: isResting)
            }
            return acceptance
        }
        let speaks = await desk.answered(
            match,
            feed,
            isBehind: desk.understudy(match, feed)?.isBehind(stored) ?? false,
            isResting: isResting,
            isOver: stored.isOver
        )
        return speaks ? try await tell(writer, reply, over: stored) : .standby
    }

    private func tell(_ writer: MatchWriter, _ reply: SeenReply, over stored: MatchRecord) async throws -> Acceptance {
        await desk.heard(stored.isToCome ? feed : nil, of: match)
        return try await writer.accept(reply)
    }

    func unchanged(seenAt: Instant, source: JournalSource?) async throws {
        let writer = await desk.writer(of: match, feed)
        let didLead = await desk.leads(match, feed)
        let kept = await desk.understudy(match, feed)
        let isResting = kept?.reply.map { PlayPhase(of: $0.snapshot.status.status) != .live } ?? false
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
        let writer = await desk.writer(of: match, feed)
        let told = try await recall(writer)
        guard told.home == feed || Namesakes(fixture.teams, in: told.record).hasSameSides else {
            return await desk.isOfOtherSides(match, feed)
        }
        guard await desk.leads(match, feed) else { return }
        // Who says too little to draw a match has told nothing yet, and nobody waits for it.
        if told.record.info != nil || told.record.accepts(fixture) {
            await desk.heard(told.record.isToCome ? feed : nil, of: match)
        }
        try await writer.announce(fixture, source: source)
    }

    /// What is known of the match; whoever spoke for it last, or told of it while it is to come, is waited for.
    private func recall(_ writer: MatchWriter) async throws -> StoredMatch {
        let told = try await writer.stored()
        if let speaker = told.feed { await desk.recall(speaker, of: match) }
        if told.record.isToCome { await desk.recallTeller(told.teller, of: match, before: feed) }
        return told
    }

    func known() async throws -> MatchRecord {
        let stored = try await desk.writer(of: match, feed).known()
        // Keys and places of another provider tell this one's adapter nothing.
        if await !desk.leads(match, feed) { return await desk.understudy(match, feed)?.record ?? MatchRecord() }
        return stored
    }

    func removed() async throws {
        guard await desk.isAlone(match) else { return }
        await desk.heard(nil, of: match)
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

extension MatchRecord {
    /// Whether a list may still say something of it: nothing of it was played.
    fileprivate var isToCome: Bool { deliveries.isEmpty && innings.isEmpty }

    /// Whether nothing more is to come but late corrections.
    fileprivate var isOver: Bool { PlayPhase(of: status.status) == .over }
}
