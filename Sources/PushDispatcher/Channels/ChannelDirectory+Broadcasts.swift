// One request reaches everybody on a channel; this is where it is made and its answer booked.

internal import HTTP2
internal import Logging
internal import ScoreTypes

extension ChannelDirectory {
    /// Takes the newest launch of a match and broadcasts it, if that is this node's duty.
    func launch(_ launch: Launch) async {
        var channels = matches[launch.match] ?? MatchChannels()
        if let known = channels.launch, known.revision > launch.revision { return }
        channels.launch = launch
        matches[launch.match] = channels
        await broadcast(launch.match)
    }

    /// Looks after what waits for its time; called a few times a second.
    func tick() async {
        for due in ends.due(at: clock.monotonic) {
            let match = due.content.match
            let sent = matches[match]?.lines[due.channel]?.sentRevision ?? 0
            // What was taken stands in the records, where whoever has the duty finds it.
            if due.isTold, sent > due.content.revision.number || !broadcasts(match) {
                ends.drop(due.channel)
            } else {
                say(due.content, on: due.channel, in: due.environment)
            }
        }
        for match in matches.keys.sorted() where matches[match]?.launch != nil { await broadcast(match) }
    }

    /// Books the answer to a broadcast; returns what became of an end, once that is known.
    func settle(_ result: DirectedResult) async -> ChannelEndOutcome? {
        if let outcome = ends.settle(result) { return outcome }
        guard let (match, channel, environment) = tickets.removeValue(forKey: result.ticket) else { return nil }
        let accepted = matches[match]?.lines[channel]?.settle(
            result.outcome,
            retryAfter: result.retryAfter,
            at: clock.monotonic,
            jitter: generator.unit()
        )
        if let revision = accepted ?? nil {
            do {
                try await store.recordBroadcast(channel, in: environment, revision: revision, at: clock.wall)
            } catch {
                log.warning("broadcast not recorded", metadata: ["match.id": "\(match)", "error": "\(error)"])
            }
        }
        if result.outcome == .rejected(.recreateChannel) { await replace(channel, in: environment, of: match) }
        await broadcast(match)
        return nil
    }

    private func broadcast(_ match: MatchID) async {
        let hasDuty = broadcasts(match)
        let isNew = hasDuty && matches[match]?.hadDuty != true
        // What a predecessor has told meanwhile stands in the records, not here.
        if isNew { matches[match]?.lines = [:] }
        matches[match]?.hadDuty = hasDuty
        if hasDuty, isNew || isOld(match) { await reread(match) }
        guard hasDuty, let channels = matches[match], let launch = channels.launch else { return }
        for record in channels.records where record.retiredAt == nil {
            guard configuration.environments[record.environment] != nil,
                let sending = matches[match]?.lines[record.channel]?.next(launch, at: clock.monotonic)
            else { continue }
            send(push(sending, on: record), record.environment)
        }
    }

    /// Ends everything on a channel with the state to leave behind, again and again; `settled` tells how it went on.
    ///
    /// - Returns: What became of it, if that is known already.
    func end(
        _ channel: ChannelID,
        in environment: PushEnvironment,
        with content: EndContent
    ) -> ChannelEndOutcome? {
        guard configuration.environments[environment] != nil, (try? Envelope.end(content)) != nil else {
            return ChannelEndOutcome(channel: channel, environment: environment, isOver: true)
        }
        switch ends.begin(channel, in: environment, with: content, at: clock) {
        case .first: say(content, on: channel, in: environment)
        case .underWay: break
        case .told: return ChannelEndOutcome(channel: channel, environment: environment, isOver: true)
        }
        return nil
    }

    /// Whether the end of a channel is being said here.
    func isEnding(_ channel: ChannelID) -> Bool { ends.knows(channel) }

    /// Says an end again, at those of its steps that are to come, that APNs took so long ago from whoever said it.
    func repeatEnd(
        of channel: ChannelID,
        in environment: PushEnvironment,
        with content: EndContent,
        toldFor age: Duration
    ) {
        guard configuration.environments[environment] != nil, (try? Envelope.end(content)) != nil else { return }
        ends.adopt(channel, in: environment, with: content, toldFor: age, at: clock)
    }

    private func say(_ content: EndContent, on channel: ChannelID, in environment: PushEnvironment) {
        guard let body = try? Envelope.end(content) else { return }
        let ticket = nextTicket()
        ends.sent(channel, ticket)
        let push = DirectedPush(
            ticket: ticket,
            kind: .end,
            match: content.match,
            target: .channel(channel),
            body: BodyBytes(body),
            priority: .five,
            expiration: 0,
            seed: RequestSeed(
                match: content.match,
                revision: content.revision.number,
                kind: .end,
                key: idKey
            ),
            repeatsWhenAmbiguous: true,
            repeatsWhenFailed: true
        )
        send(push, environment)
    }

    private func variant(of record: ChannelRecord) -> UInt8 { configuration.variants[record.attributesType] ?? 0 }

    private func push(_ sending: BroadcastLine.Sending, on record: ChannelRecord) -> DirectedPush {
        let ticket = nextTicket()
        tickets[ticket] = (record.match, record.channel, record.environment)
        return DirectedPush(
            ticket: ticket,
            kind: sending.launch.kind,
            match: record.match,
            target: .channel(record.channel),
            body: sending.launch.body(variant: variant(of: record), withAlert: sending.hasAlert),
            priority: sending.launch.priority(withAlert: sending.hasAlert),
            expiration: 0,
            seed: sending.launch.seed,
            repeatsWhenAmbiguous: false,
            repeatsWhenFailed: false
        )
    }
}
