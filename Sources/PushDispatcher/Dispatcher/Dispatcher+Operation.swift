// What operators and the sweep may see and do.

public import ScoreTypes

extension Dispatcher {
    /// The dispatcher at this moment.
    public func status() async -> DispatcherStatus {
        var worlds: [DispatcherStatus.Environment] = []
        for environment in environments { worlds.append(await status(of: environment)) }
        return DispatcherStatus(
            environments: worlds,
            matches: matches.keys.sorted().compactMap { status(of: $0) },
            recentRejections: ring.newest,
            unrecordedSends: ledger.waitingSends,
            startsWaiting: starts.count,
            endsWaiting: ladder.count
        )
    }

    /// Stops sending into an environment; what comes meanwhile waits, and only the newest of it goes out later.
    public func pause(_ environment: PushEnvironment) {
        paused.insert(environment)
        for lane in lanes { lane.pause(environment, true) }
    }

    /// Goes on sending into an environment.
    public func resume(_ environment: PushEnvironment) {
        paused.remove(environment)
        for lane in lanes { lane.pause(environment, false) }
    }

    /// Signs with another key from now on, on new connections; what is in the air is answered on the old ones.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - keyID: Its ten characters; nothing happens when they are those of the key in use.
    public func use(_ key: SigningKey, keyID: String) async {
        await providers.use(key, keyID: keyID)
        await renewProviderTokens()
    }

    /// The channel of a kind, made at Apple's when there is none; one is made however many ask at once.
    public func ensureChannel(
        match: MatchID,
        environment: PushEnvironment,
        attributesType: String,
        profile: ChannelProfile
    ) async throws -> ChannelID {
        try await channels.ensure(
            ChannelDirectory.Kind(
                match: match,
                environment: environment,
                attributesType: attributesType,
                profile: profile
            )
        )
    }

    /// Gives a channel up whose activities have ended: the next of its kind is another.
    public func retireChannel(
        _ channel: ChannelID,
        in environment: PushEnvironment,
        of match: MatchID
    ) async throws {
        try await channels.retire(channel, in: environment, of: match)
    }

    /// Whether the end of a channel is on its way here, or is to be said again.
    public func isEnding(_ channel: ChannelID) async -> Bool { await channels.isEnding(channel) }

    /// Says the end of a channel again that APNs took from a node that may be gone.
    ///
    /// At those of the steps of 1, 5, 15 and 30 minutes that are to come; nothing where this node says it already.
    ///
    /// - age: Real time since APNs took it.
    public func repeatEnd(
        of channel: ChannelID,
        in environment: PushEnvironment,
        with content: EndContent,
        toldFor age: Duration
    ) async {
        await channels.repeatEnd(of: channel, in: environment, with: content, toldFor: age)
    }

    /// How long after its first time the end of a channel is said for the last time, in real time.
    public nonisolated var endRepeatedFor: Duration { EndLadder.steps(on: clock).last ?? .zero }

    /// All channels that Apple has for the app, to be held against the records.
    public func listChannels(_ environment: PushEnvironment) async throws -> [ChannelID] {
        try await channels.list(environment)
    }

    /// Deletes a channel for good, hours after its match.
    public func deleteChannel(_ channel: ChannelID, in environment: PushEnvironment) async throws {
        try await channels.delete(channel, in: environment)
    }

    /// Sends the newest state to a token that was registered after its bucket was walked, unless the device has it.
    ///
    /// - Parameter token: The token.
    public nonisolated func late(_ token: LateToken) {
        lanes[Int(Bucket(of: token.device).number) % lanes.count].late(token)
    }

    /// Activities whose bucket was sent while they themselves got nothing for so long, for the sweep.
    public func exceptions(silentFor silence: Duration) -> [(match: MatchID, device: DeviceID)] {
        let limit = clock.monotonic - silence
        return matches.flatMap { match, state in state.exceptions.since(limit).map { (match, $0) } }
    }

    func status(of environment: PushEnvironment) async -> DispatcherStatus.Environment {
        let gauges = outbox.gauges(of: environment)
        var problem = await providers.problem(of: environment)
        if problem == nil, gauges.breakersOpen > 0, let reason = breakerReasons[environment] {
            problem = "sends are stopped: APNs answers \(reason.rawValue)"
        }
        return DispatcherStatus.Environment(
            environment: environment,
            isPaused: paused.contains(environment),
            problem: problem,
            accepted: answered[environment]?.accepted ?? 0,
            rejected: answered[environment]?.rejected ?? 0,
            failed: answered[environment]?.failed ?? 0,
            expired: expired[environment] ?? 0,
            connections: gauges.connections,
            connectionsOpen: gauges.connectionsOpen,
            streamsInUse: gauges.streamsInUse,
            streamsAllowed: gauges.streamsAllowed,
            breakersOpen: gauges.breakersOpen,
            directedWaiting: gauges.directedWaiting,
            retriesWaiting: gauges.retriesWaiting,
            quarantinesWithheld: quarantines[environment]?.withheldCount ?? 0,
            providerTokenAge: await providers.age(of: environment),
            providerTokensMinted: await providers.mintedCount(of: environment)
        )
    }

    private func status(of match: MatchID) -> DispatcherStatus.Match? {
        guard let state = matches[match] else { return nil }
        let newest = state.launch?.revision
        return DispatcherStatus.Match(
            match: match,
            revision: newest,
            waitingRevision: state.pacing.waiting?.revision.number,
            bucketsServed: state.resumed.count,
            bucketsCurrent: state.resumed.values.count { $0 >= newest ?? .max },
            superseded: state.pacing.supersededCount,
            unchanged: state.pacing.unchangedCount,
            exceptions: state.exceptions.count
        )
    }
}
