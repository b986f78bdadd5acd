// The dispatcher's interface for operators and the sweep.

public import ScoreTypes

extension Dispatcher {
    /// The dispatcher's current state.
    public func status() async -> DispatcherStatus {
        var statuses: [DispatcherStatus.Environment] = []
        for environment in environments { statuses.append(await status(of: environment)) }
        return DispatcherStatus(
            environments: statuses,
            matches: matches.keys.sorted().compactMap { status(of: $0) },
            unrecordedSends: tracker.waitingSends,
            startsWaiting: starts.count,
            endsWaiting: endRetries.count,
            lanes: lanes.count
        )
    }

    /// Stops sending to an environment; waiting states are replaced by newer ones until `resume`.
    public func pause(_ environment: PushEnvironment) {
        paused.insert(environment)
        for lane in lanes { lane.pause(environment, true) }
    }

    /// Resumes sending to an environment.
    public func resume(_ environment: PushEnvironment) {
        paused.remove(environment)
        for lane in lanes { lane.pause(environment, false) }
    }

    /// Closes the breakers of an environment on this node; false if it is not configured.
    public func resetBreaker(_ environment: PushEnvironment) -> Bool {
        guard configuration.environments[environment] != nil else { return false }
        for lane in lanes { lane.resetBreaker(environment) }
        return true
    }

    /// Checks whether APNs accepts the key and the topic, by a push to a token that no phone has; nil for an
    /// environment that is not configured.
    ///
    /// It uses a connection of its own, so that a paused environment can be probed.
    public func probe(_ environment: PushEnvironment) async -> KeyProbe.Finding? {
        guard let endpoints = configuration.environments[environment] else { return nil }
        let probe = KeyProbe(endpoints.push, topic: configuration.activityTopic, authorities: configuration.authorities)
        return await probe.run(providers.token(for: environment), clock)
    }

    /// Sends starts from now on, or refuses planned and new ones until the next call.
    ///
    /// A refused start is reported to the observer as failed: its owner plans it again, with the content of then.
    public func allowStarts(_ areAllowed: Bool) async {
        startsAreAllowed = areAllowed
        if !areAllowed { await refuseWaitingStarts() }
    }

    /// Signs with another key from now on, on new connections; open requests finish on the old ones.
    ///
    /// - Parameters:
    ///   - key: The new key.
    ///   - keyID: Its ten characters.
    /// - Returns: False, without an effect, for the key in use.
    public func use(_ key: SigningKey, keyID: String) async -> Bool {
        guard await providers.use(key, keyID: keyID) else { return false }
        await renewProviderTokens()
        return true
    }

    /// Real time from the first end of a channel to its last repetition.
    public nonisolated var endRepeatedFor: Duration { EndRetrySchedule.delays(on: clock).last ?? .zero }

    /// Sends the newest state to a token that was registered after its bucket was walked, unless the device has it.
    ///
    /// - Parameter token: The token.
    public nonisolated func late(_ token: LateToken) {
        lanes[Int(Bucket(of: token.device).number) % lanes.count].late(token)
    }

    /// Activities that received nothing for this real time although their bucket was sent; for the sweep.
    public func exceptions(silentFor silence: Duration) -> [(match: MatchID, device: DeviceID)] {
        let limit = clock.monotonic - silence
        return matches.flatMap { match, state in state.exceptions.since(limit).map { (match, $0) } }
    }

    func status(of environment: PushEnvironment) async -> DispatcherStatus.Environment {
        let gauges = outbox.gauges(of: environment)
        var problem = await providers.problem(of: environment)
        if problem == nil, let reason = gauges.breakerReason {
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
            gauges: gauges,
            quarantinesWithheld: quarantines[environment]?.withheldCount ?? 0,
            providerTokenAge: await providers.age(of: environment),
            providerTokensMinted: await providers.mintedCount(of: environment),
            keyID: await providers.keyID,
            host: configuration.environments[environment]?.push.authority ?? "",
            topic: configuration.activityTopic,
            roundTrips: roundTrips[environment] ?? RoundTrips()
        )
    }

    private func status(of match: MatchID) -> DispatcherStatus.Match? {
        guard let state = matches[match] else { return nil }
        let newest = state.encoded?.revision
        return DispatcherStatus.Match(
            match: match,
            revision: newest,
            waitingRevision: state.pacing.waiting?.revision.number,
            bucketsServed: state.served.revisions.count,
            bucketsCurrent: state.served.revisions.values.count { $0 >= newest ?? .max },
            superseded: state.pacing.supersededCount,
            unchanged: state.pacing.unchangedCount,
            exceptions: state.exceptions.count,
            firstRequests: state.firstRequests.publications.map {
                .init(revision: $0.revision, milliseconds: $0.milliseconds)
            },
            firstRequestMedian: state.firstRequests.median
        )
    }
}
