// The way of a publication through a lane: turns choose fan-outs, fan-outs choose tokens, each token becomes a request.

internal import HTTP2
internal import ScoreTypes

extension EnvironmentLane {
    /// Takes a publication with the buckets of this lane and the recorded revision of each, and sends as much of it as
    /// the connections allow.
    func offer(_ encoded: EncodedPublication, resumed: [(bucket: Bucket, revision: Int64)]) {
        matchLane(encoded.match).fanout.offer(encoded, resumed: resumed, at: context.now)
        dropOldAlerts()
        pump()
        report()
    }

    /// Fills the streams with waiting requests, in turns (`LaneTurn`).
    func pump() {
        // Comes before the checks that keep requests waiting, so that none is sent after its deadline.
        dropExpired()
        guard !isStopped, !isPaused, !isAwaitingToken, providerToken != nil, setting.maySend() else { return }
        if !isLeaving {
            pumpBroadcasts()
            pumpUnverified()
        }
        guard let pool = pushPool else { return }
        while let link = pool.leastLoaded() {
            let allowed = breaker.allowance(at: context.now) ?? .max
            let turn = min(link.room, PushLimits.requestsPerLaneTurn, allowed)
            guard turn > 0, take(turn, on: link) > 0 else { return }
            pool.served(link)
        }
    }

    /// Submits up to `limit` requests; returns how many.
    private func take(_ limit: Int, on link: Link) -> Int {
        var count = 0
        turn.advance()
        for placeClass in turn.classes where count < limit {
            switch placeClass {
            case .urgent: count += takeFanouts(limit - count, urgent: true, on: link)
            case .ordinary: count += takeFanouts(limit - count, urgent: false, on: link)
            case .directed, .lifecycle:
                while count < limit, !isLeaving, link.hasRoomForDirected, let push = nextDirected(placeClass) {
                    guard submit(push, on: link) else { return count }
                    count += 1
                }
            }
        }
        return count
    }

    private func takeFanouts(_ limit: Int, urgent: Bool, on link: Link) -> Int {
        guard !matches.isEmpty else { return 0 }
        let allowance = allowance
        if allowance == .nothing {
            // Buckets no longer wait for tokens that are repeated.
            for match in matches { match.fanout.releaseRepeats() }
        }
        var count = 0
        for step in 0..<matches.count {
            let index = (rotation + step) % matches.count
            let match = matches[index]
            guard match.fanout.isUrgent == urgent else { continue }
            while count < limit,
                let send = match.fanout.next(at: context.now, allowance, source: setting.source)
            {
                guard submit(send, of: match, on: link) else { return count }
                count += 1
            }
            if count >= limit {
                rotation = (index + 1) % matches.count
                return count
            }
        }
        return count
    }

    /// Submits a request of a fan-out; if the link refuses it, returns false and the request waits for another try.
    func submit(_ send: FanoutSend, of match: MatchLane, on link: Link) -> Bool {
        guard let encoded = match.fanout.encoded, let connection = link.connection else {
            match.fanout.takeBack(send, at: context.now)
            return false
        }
        let headers = headers(of: match, encoded)
        let flight = Flight(send, of: encoded, match, sentAt: context.now, tokenVersion: tokenVersion)
        let tag = flights.add(flight)
        let path =
            if send.sliceIndex < 0, let token = match.fanout.lookedUp {
                token.bytes.withUnsafeBytes { buffer.path(of: $0) }
            } else {
                match.fanout.slice.withToken(at: send.sliceIndex) { buffer.path(of: $0) }
            }
        let isTaken = connection.submit(
            path: path,
            fixed: headers.template(for: send),
            extra: ExtraHeader("apns-id", buffer.id(encoded.seed, send.token.device, send.token.generation)),
            body: encoded.body(variant: send.token.variant, withAlert: send.hasAlert),
            tag: tag
        )
        guard isTaken else {
            _ = flights.take(tag)
            match.fanout.takeBack(send, at: context.now)
            return false
        }
        breaker.sent()
        if send.token.attempt > 0 { counts.retries += 1 }
        if !match.hasSentFirst { noteFirstSend(of: match, encoded) }
        return true
    }

    private func noteFirstSend(of match: MatchLane, _ encoded: EncodedPublication) {
        match.hasSentFirst = true
        let delay = setting.clock.wall - encoded.publication.committedAt
        counts.firstSend(of: encoded.match, encoded.revision, afterMilliseconds: max(0, delay.milliseconds))
    }

    // MARK: Limits and other requests

    /// The present limits of walks.
    private var allowance: WalkAllowance {
        guard !isLeaving else { return .bucketUnderWay }
        // Each lane keeps its share, so that the node keeps the bound.
        return WalkAllowance(
            bound: max(1, setting.configuration.unrecordedSendsMax),
            recording: setting.unrecorded.count,
            answered: matches.reduce(0) { $0 + $1.fanout.answeredUnreported } * setting.laneCount,
            underWay: matches.reduce(0) { $0 + $1.fanout.answeredUnderWay } * setting.laneCount
        )
    }

    private func pumpBroadcasts() {
        guard let pool = broadcastPool ?? pushPool else { return }
        while let link = pool.leastLoaded(), breaker.allowance(at: context.now) != 0,
            let push = broadcasts.next(at: context.now)
        {
            // A state that had to wait is returned unsent, since its owner has a newer one by now.
            guard push.repeatsWhenFailed || context.now - push.queuedAt <= PushLimits.broadcastAge else {
                finish(push, .unsent)
                continue
            }
            guard submit(push, on: link) else { return }
            pool.served(link)
        }
    }

    private func pumpUnverified() {
        guard matches.contains(where: { $0.fanout.hasUnverified }) else { return }
        if unverifiedPool == nil {
            unverifiedPool = makePool(endpoints.push, slots: 1)
            unverifiedPool?.tick()
        }
        for match in matches {
            while let link = unverifiedPool?.leastLoaded(), breaker.allowance(at: context.now) != 0,
                let send = match.fanout.nextUnverified(at: context.now, source: setting.source)
            {
                guard submit(send, of: match, on: link) else { return }
            }
        }
    }

    private func nextDirected(_ placeClass: LaneClass) -> DirectedPush? {
        guard placeClass == .directed else { return lifecycle.next(at: context.now) }
        while let push = directed.next(at: context.now) {
            guard push.recall?.isWithdrawn == true else { return push }
            finish(push, .unsent)
        }
        return nil
    }

    /// Queues a directed request, for now or for a moment of the loop's time; false if too many wait.
    func keep(_ push: DirectedPush, until due: Duration? = nil) -> Bool {
        if push.isBroadcast { return due.map { broadcasts.delay(push, until: $0) } ?? broadcasts.append(push) }
        if push.isLifecycle { return due.map { lifecycle.delay(push, until: $0) } ?? lifecycle.append(push) }
        return due.map { directed.delay(push, until: $0) } ?? directed.append(push)
    }
}
