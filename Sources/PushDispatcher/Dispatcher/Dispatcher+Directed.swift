// Starts, ends and notifications: requests for one device each, which no walk would find.

internal import HTTP2
internal import Logging
public import ScoreTypes

extension Dispatcher {
    /// How long APNs may keep a start or a notification.
    private static let urgentLifetime: Duration = .seconds(300)
    /// Directed requests beyond which nobody plans more: a second or two of what APNs takes from a node.
    private static let waitingMax = 10_000
    /// How long APNs may keep an end.
    private static let endLifetime: Duration = .seconds(3600)

    /// Starts activities, evenly over a span, never without an alert.
    ///
    /// Whoever asks sees to it that nobody is started twice. A start that no place was found for is reported to the
    /// observer as failed.
    public func start(_ starts: [PushStart], with content: StartContent, over span: Duration = .zero) async {
        var bodies: [PushStart.Subscription: BodyBytes] = [:]
        var planned: [StartSchedule.Planned] = []
        do throws(PayloadError) {
            for start in starts where configuration.environments[start.environment] != nil {
                let known = bodies[start.subscription]
                let body: BodyBytes
                if let known {
                    body = known
                } else {
                    body = BodyBytes(try Envelope.start(content, subscription: start.subscription))
                    bodies[start.subscription] = body
                }
                planned.append(
                    StartSchedule.Planned(
                        start: start,
                        match: content.match,
                        revision: content.revision.number,
                        body: body
                    )
                )
            }
        } catch {
            metrics.payloadTooLarge(.start)
            log.error("start too large", metadata: ["match.id": "\(content.match)", "error": "\(error)"])
            return
        }
        let refused = self.starts.plan(planned, at: clock.domain, over: span)
        await tell(refused.map { outcome(of: $0.start, $0.match, .failed(.refused)) })
        await makeDueStarts()
    }

    /// Whether starts and ends should be asked for now: those that wait are few beside what the lanes can hold.
    public var hasRoom: Bool {
        let waiting = environments.map { outbox.gauges(of: $0).directedWaiting }.reduce(starts.count, +)
        return waiting < Self.waitingMax
    }

    /// Ends activities; an end that is not accepted is repeated after 1, 5, 15 and 30 minutes.
    ///
    /// An end into an environment that is not served is reported to the observer as rejected.
    public func end(_ ends: [PushEnd]) async {
        let foreign = ends.filter { configuration.environments[$0.environment] == nil }
        await tell(
            foreign.map { end in
                DirectedOutcome(
                    kind: .end,
                    match: end.content.match,
                    device: end.device,
                    generation: end.generation,
                    environment: end.environment,
                    outcome: .rejected(.dropRequest),
                    apnsTimestampMilliseconds: nil
                )
            }
        )
        send(ends.map { EndLadder.Rung(end: $0, firstTry: clock.monotonic) })
    }

    /// Ends everything on a channel with the state to leave behind.
    ///
    /// It is said again after 1, 5, 15 and 30 minutes, for all; the observer hears when APNs took it, or that it never
    /// did. Another order meanwhile changes what the next try says.
    public func end(channel: ChannelID, in environment: PushEnvironment, with content: EndContent) async {
        if let known = await channels.end(channel, in: environment, with: content) { await tell(known) }
    }

    /// Sends ordinary notifications, or wakes the app where there is nothing to say.
    public func notify(_ notifications: [PushNotification]) async {
        var pushes: [PushEnvironment: [[DirectedPush]]] = [:]
        for notification in notifications where configuration.environments[notification.environment] != nil {
            do throws(PayloadError) {
                let body: [UInt8]
                if let content = notification.content {
                    body = try Envelope.notification(content)
                } else {
                    body = try Envelope.background()
                }
                let push = request(for: notification, body: BodyBytes(body))
                add(push, for: notification.device, to: &pushes, in: notification.environment)
            } catch {
                metrics.payloadTooLarge(notification.content == nil ? .background : .alert)
                log.error("notification too large", metadata: ["match.id": "\(notification.match)"])
            }
        }
        hand(pushes)
    }

    /// Begins a page of notifications.
    public func noticePage() -> NoticePage { notices.begin() }

    /// Whether a notification of a page has no final answer yet.
    public func isUnderWay(_ page: NoticePage) -> Bool { notices.isOpen(page) }

    /// Notifications of all pages that have no final answer yet.
    public var noticesUnderWay: Int { notices.count }

    /// Waits no longer for the answers of a page.
    public func giveUp(_ page: NoticePage) { notices.giveUp(page) }

    /// Sends one notification to many devices, as part of a page if that is to be followed; its body is written once.
    public func notify(
        _ recipients: [NotificationRecipient],
        of match: MatchID,
        _ content: NotificationContent,
        on page: NoticePage? = nil
    ) async {
        let body: BodyBytes
        do throws(PayloadError) { body = BodyBytes(try Envelope.notification(content)) } catch {
            metrics.payloadTooLarge(.alert)
            log.error("notification too large", metadata: ["match.id": "\(match)"])
            return
        }
        var pushes: [PushEnvironment: [[DirectedPush]]] = [:]
        for recipient in recipients where configuration.environments[recipient.environment] != nil {
            let notification = PushNotification(
                match: match,
                device: recipient.device,
                generation: recipient.generation,
                environment: recipient.environment,
                token: recipient.token,
                content: content
            )
            let push = request(for: notification, body: body)
            if let page { notices.add(push.ticket, to: page) }
            add(push, for: recipient.device, to: &pushes, in: recipient.environment)
        }
        hand(pushes)
    }

    private func request(for notification: PushNotification, body: BodyBytes) -> DirectedPush {
        let kind: PayloadKind = notification.content == nil ? .background : .alert
        // The same words to the same device are the same push on every node.
        let words = (notification.content?.collapseID ?? notification.content?.alert.body ?? "").utf8
        let digest = FNV1a.hash(words)
        return DirectedPush(
            ticket: nextTicket(),
            kind: kind,
            match: notification.match,
            target: .device(
                notification.device,
                generation: notification.generation,
                token: notification.token
            ),
            body: body,
            priority: notification.content?.priority ?? .five,
            expiration: (clock.wall + Self.urgentLifetime).seconds,
            seed: RequestSeed(
                match: notification.match,
                revision: Int64(bitPattern: digest),
                kind: kind,
                key: idKey
            ),
            repeatsWhenAmbiguous: kind == .background,
            repeatsWhenFailed: true,
            collapseID: notification.content?.collapseID.map { String(decoding: $0.utf8.prefix(64), as: UTF8.self) }
        )
    }

    /// Makes the starts whose moment has come.
    func makeDueStarts() async {
        var pushes: [PushEnvironment: [[DirectedPush]]] = [:]
        for planned in starts.due(at: clock.domain) {
            let start = planned.start
            let push = DirectedPush(
                ticket: nextTicket(),
                kind: .start,
                match: planned.match,
                target: .device(start.device, generation: start.generation, token: start.token),
                body: planned.body,
                priority: .ten,
                expiration: (clock.wall + Self.urgentLifetime).seconds,
                seed: RequestSeed(match: planned.match, revision: planned.revision, kind: .start, key: idKey),
                repeatsWhenAmbiguous: false,
                repeatsWhenFailed: true
            )
            add(push, for: start.device, to: &pushes, in: start.environment)
        }
        hand(pushes)
    }

    /// Sends ends, first tries and repeats alike.
    func send(_ rungs: [EndLadder.Rung]) {
        var pushes: [PushEnvironment: [[DirectedPush]]] = [:]
        for rung in rungs where configuration.environments[rung.end.environment] != nil {
            let end = rung.end
            guard let body = try? Envelope.end(end.content) else {
                metrics.payloadTooLarge(.end)
                continue
            }
            let ticket = nextTicket()
            ends[ticket] = rung
            let push = DirectedPush(
                ticket: ticket,
                kind: .end,
                match: end.content.match,
                target: .device(end.device, generation: end.generation, token: end.token),
                body: BodyBytes(body),
                priority: .five,
                expiration: (clock.wall + Self.endLifetime).seconds,
                seed: RequestSeed(
                    match: end.content.match,
                    revision: end.content.revision.number,
                    kind: .end,
                    key: idKey
                ),
                repeatsWhenAmbiguous: true,
                repeatsWhenFailed: true
            )
            add(push, for: end.device, to: &pushes, in: end.environment)
        }
        hand(pushes)
    }

    /// Books what became of directed requests.
    func settle(_ results: [DirectedResult]) async {
        var outcomes: [DirectedOutcome] = []
        var rejections: [Rejection] = []
        for result in results {
            guard case .device(let device, let generation, _) = result.target else {
                if let ended = await channels.settle(result) { await tell(ended) }
                continue
            }
            if let rung = ends.removeValue(forKey: result.ticket) {
                // One that waited beyond its deadline stays marked in the store, and the sweep ends it anew.
                if !result.outcome.isAnswer, !result.isExpired {
                    if ladder.failed(rung) { continue }
                    metrics.expired(.end, "retrying", 1)
                    expired[result.environment, default: 0] += 1
                }
                if case .rejected(let action) = result.outcome, action == .evict {
                    rejections.append(rejection(of: result, device, generation, action))
                }
            }
            notices.settle(result.ticket)
            outcomes.append(
                DirectedOutcome(
                    kind: result.kind,
                    match: result.match,
                    device: device,
                    generation: generation,
                    environment: result.environment,
                    outcome: result.outcome,
                    apnsTimestampMilliseconds: result.apnsTimestampMilliseconds
                )
            )
        }
        if !rejections.isEmpty { await tokens.evict(rejections) }
        await tell(outcomes)
    }

    private func tell(_ outcomes: [DirectedOutcome]) async {
        if !outcomes.isEmpty { await observer?.settled(outcomes) }
    }

    private func tell(_ ended: ChannelEndOutcome) async {
        if !ended.isOver {
            metrics.expired(.end, "retrying", 1)
            expired[ended.environment, default: 0] += 1
        }
        await observer?.ended(ended)
    }

    private func rejection(
        of result: DirectedResult,
        _ device: DeviceID,
        _ generation: Int32,
        _ action: RejectionAction
    ) -> Rejection {
        Rejection(
            match: result.match,
            device: device,
            generation: generation,
            apnsTimestampMilliseconds: result.apnsTimestampMilliseconds ?? clock.wall.milliseconds,
            action: action
        )
    }

    private func outcome(of start: PushStart, _ match: MatchID, _ outcome: PushOutcome) -> DirectedOutcome {
        DirectedOutcome(
            kind: .start,
            match: match,
            device: start.device,
            generation: start.generation,
            environment: start.environment,
            outcome: outcome,
            apnsTimestampMilliseconds: nil
        )
    }

    private func nextTicket() -> UInt64 {
        lastTicket += 1
        return lastTicket
    }

    private func add(
        _ push: DirectedPush,
        for device: DeviceID,
        to pushes: inout [PushEnvironment: [[DirectedPush]]],
        in environment: PushEnvironment
    ) {
        let lane = Int(Bucket(of: device).number) % lanes.count
        pushes[environment, default: Array(repeating: [], count: lanes.count)][lane].append(push)
    }

    private func hand(_ pushes: [PushEnvironment: [[DirectedPush]]]) {
        for (environment, shares) in pushes {
            for (lane, share) in shares.enumerated() where !share.isEmpty { lanes[lane].send(share, in: environment) }
        }
    }
}
