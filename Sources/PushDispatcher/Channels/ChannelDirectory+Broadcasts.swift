// Sends broadcasts and ends on channels, and applies their answers.

internal import HTTP2
internal import Logging
public import ScoreTypes

extension ChannelDirectory {
    /// Takes the newest publication of a match, and broadcasts it if this node has the duty.
    func publish(_ encoded: EncodedPublication) async {
        var channels = matches[encoded.match] ?? MatchChannels()
        if let known = channels.encoded, known.revision > encoded.revision { return }
        channels.encoded = encoded
        matches[encoded.match] = channels
        await broadcast(encoded.match)
    }

    /// Sends what is due; called a few times a second.
    func tick() async {
        for due in ends.due(at: clock.monotonic) {
            let match = due.content.match
            let sent = matches[match]?.pacings[due.channel]?.sentRevision ?? 0
            // The record holds an accepted end, and the node with the duty repeats it.
            if due.isAccepted, sent > due.content.revision.number || !broadcasts(match) {
                ends.drop(due.channel)
            } else {
                sendEnd(due.content, on: due.channel, in: due.environment)
            }
        }
        if !isRecorded, clock.monotonic >= nextRecordTry { await recordBroadcasts() }
        for match in matches.keys.sorted() where matches[match]?.encoded != nil { await broadcast(match) }
    }

    /// Broadcasts nothing more; open requests keep their answers.
    func leave() { isLeaving = true }

    /// Whether the store has all accepted broadcasts and all alerts without an answer.
    var isRecorded: Bool { matches.values.allSatisfy(\.unrecorded.isEmpty) }

    /// Records what a successor must know: otherwise it would alert again.
    func recordBroadcasts() async {
        for (match, channels) in matches {
            for (channel, broadcast) in channels.unrecorded {
                do {
                    try await record(broadcast, on: channel)
                    guard matches[match]?.unrecorded[channel]?.settled == broadcast.settled else { continue }
                    matches[match]?.unrecorded[channel] = nil
                } catch {
                    nextRecordTry = clock.monotonic + PushLimits.storeRetryInterval
                    log.warning("broadcast not recorded", metadata: ["match.id": "\(match)", "error": "\(error)"])
                }
            }
        }
    }

    private func record(_ broadcast: Broadcast, on channel: ChannelID) async throws {
        let environment = broadcast.environment
        switch broadcast.settled {
        case .accepted(let revision):
            try await store.recordBroadcast(channel, in: environment, revision: revision, at: broadcast.at)
        case .unansweredAlert(let revision):
            try await store.recordUnansweredAlert(channel, in: environment, revision: revision)
        }
    }

    /// Applies the answer to a broadcast or an end; returns an end's result once it is known.
    func settle(_ result: DirectedResult) async -> ChannelEndOutcome? {
        if let outcome = ends.settle(result) { return outcome }
        guard let (match, channel, environment) = tickets.removeValue(forKey: result.ticket) else { return nil }
        let settled = matches[match]?.pacings[channel]?.settle(
            result.outcome,
            retryAfter: result.retryAfter,
            at: clock.monotonic,
            jitter: generator.unit()
        )
        if let settled = settled ?? nil {
            let broadcast = Broadcast(environment: environment, settled: settled, at: clock.wall)
            matches[match]?.unrecorded[channel] = broadcast
            await recordBroadcasts()
        }
        if result.outcome == .rejected(.recreateChannel) { await replace(channel, in: environment, of: match) }
        await broadcast(match)
        return nil
    }

    private func broadcast(_ match: MatchID) async {
        guard !isLeaving else { return }
        guard broadcasts(match) else {
            matches[match]?.hadDuty = false
            return
        }
        // The records hold what a predecessor sent meanwhile, which must be known before anything is sent.
        if matches[match]?.hadDuty != true {
            guard await reread(match) else { return }
            matches[match]?.hadDuty = true
        } else if isOld(match) {
            await reread(match)
        }
        guard !isLeaving, broadcasts(match), let channels = matches[match], let encoded = channels.encoded else {
            return
        }
        for record in channels.records where record.retiredAt == nil {
            guard configuration.environments[record.environment] != nil,
                let sending = matches[match]?.pacings[record.channel]?.next(encoded, at: clock.monotonic)
            else { continue }
            send(push(sending, on: record), record.environment)
        }
    }

    /// Ends all activities on a channel, with repetitions; `settle` returns how it went.
    ///
    /// - Returns: The result, if it is known already.
    func end(
        _ channel: ChannelID,
        in environment: PushEnvironment,
        with content: EndContent
    ) -> ChannelEndOutcome? {
        guard configuration.environments[environment] != nil, (try? Envelope.end(content)) != nil else {
            return ChannelEndOutcome(channel: channel, environment: environment, isOver: true)
        }
        switch ends.begin(channel, in: environment, with: content, at: clock) {
        case .first: sendEnd(content, on: channel, in: environment)
        case .underWay: break
        case .accepted: return ChannelEndOutcome(channel: channel, environment: environment, isOver: true)
        }
        return nil
    }

    /// Whether the end of a channel is being sent or repeated here.
    public func isEnding(_ channel: ChannelID) -> Bool { ends.contains(channel) }

    /// Repeats an end that APNs accepted from another node, at the remaining times of its schedule; no effect if this
    /// node repeats it already.
    ///
    /// - Parameters:
    ///   - channel: The channel.
    ///   - environment: Its APNs environment.
    ///   - content: The final state.
    ///   - age: Real time since APNs accepted the end.
    public func repeatEnd(
        of channel: ChannelID,
        in environment: PushEnvironment,
        with content: EndContent,
        acceptedFor age: Duration
    ) {
        guard configuration.environments[environment] != nil, (try? Envelope.end(content)) != nil else { return }
        ends.adopt(channel, in: environment, with: content, acceptedFor: age, at: clock)
    }

    private func sendEnd(_ content: EndContent, on channel: ChannelID, in environment: PushEnvironment) {
        guard let body = try? Envelope.end(content) else { return }
        let ticket = nextTicket()
        ends.sent(channel, ticket)
        let storage = matches[content.match]?.records.first { $0.channel == channel }?.storage ?? .none
        let push = DirectedPush(
            ticket: ticket,
            kind: .end,
            match: content.match,
            target: .channel(channel),
            body: BodyBytes(body),
            priority: .five,
            expiration: expiration(after: PushLimits.endLifetime, on: storage),
            seed: RequestSeed(of: content, key: idKey),
            whenAmbiguous: .repeat,
            repeatsWhenFailed: true
        )
        send(push, environment)
    }

    private func push(_ sending: BroadcastPacing.Sending, on record: ChannelRecord) -> DirectedPush {
        let ticket = nextTicket()
        tickets[ticket] = (record.match, record.channel, record.environment)
        // A phone that joins later shows the state until it is stale, and gets an alert only while it is news.
        let lifetime =
            sending.hasAlert
            ? PushLimits.alertLifetime
            : sending.encoded.publication.isFinal ? PushLimits.endLifetime : PushLimits.staleAfter
        return DirectedPush(
            ticket: ticket,
            kind: sending.encoded.kind,
            match: record.match,
            target: .channel(record.channel),
            body: sending.encoded.body(
                variant: configuration.variants[record.attributesType] ?? 0,
                withAlert: sending.hasAlert
            ),
            priority: sending.encoded.priority(withAlert: sending.hasAlert),
            expiration: expiration(after: lifetime, on: record.storage),
            seed: sending.encoded.seed,
            whenAmbiguous: .giveUp,
            repeatsWhenFailed: false
        )
    }

    /// `apns-expiration`: the time until which Apple stores a message; 0, which Apple requires, where it stores none.
    private func expiration(after lifetime: Duration, on storage: ChannelStorage) -> Int64 {
        storage == .none ? 0 : (clock.wall + lifetime).seconds
    }
}
