// One request reaches everybody on a channel; this is where it is made and its answer booked.

internal import HTTP2
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
        for match in matches.keys.sorted() where matches[match]?.launch != nil { await broadcast(match) }
    }

    /// Books the answer to a broadcast.
    func settle(_ result: DirectedResult) async {
        guard let (match, channel, environment) = tickets.removeValue(forKey: result.ticket) else { return }
        let accepted = matches[match]?.lines[channel]?.settle(
            result.outcome,
            at: clock.monotonic,
            domain: clock.domain,
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
    }

    private func broadcast(_ match: MatchID) async {
        let hasDuty = store.holdsDuty(for: match)
        let isNew = hasDuty && matches[match]?.hadDuty != true
        let isOld = matches[match]?.readAt.map { clock.monotonic - $0 >= Self.rereadInterval } ?? true
        if hasDuty, isNew || isOld { await reread(match) }
        matches[match]?.hadDuty = hasDuty
        guard hasDuty, let channels = matches[match], let launch = channels.launch else { return }
        for record in channels.records where record.retiredAt == nil {
            guard configuration.environments[record.environment] != nil,
                let sending = matches[match]?.lines[record.channel]?.next(
                    launch,
                    at: clock.monotonic,
                    domain: clock.domain
                )
            else { continue }
            send(push(sending, on: record), record.environment)
        }
    }

    private func push(_ sending: BroadcastLine.Sending, on record: ChannelRecord) -> DirectedPush {
        let ticket = nextTicket()
        tickets[ticket] = (record.match, record.channel, record.environment)
        let variant: UInt8 = record.attributesType == configuration.attributesType ? 0 : 1
        return DirectedPush(
            ticket: ticket,
            kind: sending.launch.kind,
            match: record.match,
            target: .channel(record.channel),
            body: sending.launch.body(variant: variant, withAlert: sending.hasAlert),
            priority: sending.launch.priority(withAlert: sending.hasAlert),
            expiration: 0,
            seed: sending.launch.seed,
            repeatsWhenAmbiguous: false,
            repeatsWhenFailed: false
        )
    }
}
