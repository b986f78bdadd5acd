// Starts, ends and notifications: requests for single devices, outside the fan-out.

internal import HTTP2
internal import Logging
public import ScoreTypes

extension Dispatcher {
    /// Starts activities, evenly spread over a time span of domain time; a start always has an alert.
    ///
    /// The caller ensures that no device is started twice. A start beyond `PushLimits.startsWaiting`, while starts are
    /// switched off, or on a node that shuts down, is reported to the observer as failed.
    public func start(_ starts: [PushStart], with content: StartContent, over span: Duration = .zero) async {
        guard startsAreAllowed, !isLeaving else {
            return await report(
                starts.map { DirectedOutcome(.start, of: content.match, to: $0.recipient, .failed(.refused)) }
            )
        }
        var bodies: [PushStart.Subscription: BodyBytes] = [:]
        var planned: [StartSchedule.Planned] = []
        do throws(PayloadError) {
            for start in starts where configuration.environments[start.recipient.environment] != nil {
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
        await refuse(self.starts.plan(planned, at: clock.domain, over: span))
        await makeDueStarts()
    }

    /// Reports all planned starts as refused.
    func refuseWaitingStarts() async { await refuse(starts.removeAll()) }

    private func refuse(_ planned: [StartSchedule.Planned]) async {
        await report(planned.map { DirectedOutcome(.start, of: $0.match, to: $0.start.recipient, .failed(.refused)) })
    }

    /// Whether the dispatcher accepts more starts and ends without delay.
    public var hasRoom: Bool {
        let waiting = environments.map { outbox.gauges(of: $0).directedWaiting }.reduce(starts.count, +)
        return waiting < PushLimits.directedWaiting
    }

    /// Ends activities; an end that is not accepted is repeated after 1, 5, 15 and 30 minutes.
    ///
    /// An end for an environment that is not configured is reported to the observer as rejected.
    public func end(_ ends: [PushEnd]) async {
        let foreign = ends.filter { configuration.environments[$0.recipient.environment] == nil }
        await report(
            foreign.map { DirectedOutcome(.end, of: $0.content.match, to: $0.recipient, .rejected(.dropRequest)) }
        )
        send(ends.map { EndRetrySchedule.PendingEnd(end: $0, firstTry: clock.monotonic) })
    }

    /// Ends all activities on a channel with a final state.
    ///
    /// The end is repeated after 1, 5, 15 and 30 minutes in any case. The observer receives its acceptance or the final
    /// failure. A second call replaces the content of the next repetition.
    public func end(channel: ChannelID, in environment: PushEnvironment, with content: EndContent) async {
        if let known = await channels.end(channel, in: environment, with: content) { await report(known) }
    }

    /// Opens a page of notifications.
    public func noticePage() -> NoticePage { notices.begin() }

    /// The buckets in which a notification of these pages has no final result yet.
    public func bucketsUnderWay(of pages: [NoticePage]) -> Set<Bucket> { notices.open(in: pages) }

    /// The buckets in which a notification of these pages was accepted, or is open and may be.
    public func bucketsReached(by pages: [NoticePage]) -> Set<Bucket> { notices.reached(by: pages) }

    /// The devices whose notification of these pages has certainly not arrived: withdrawn, refused or never sent.
    public func devicesMissed(by pages: [NoticePage]) -> Set<DeviceID> { notices.missed(by: pages) }

    /// Notifications of all pages without a final result.
    public var noticesUnderWay: Int { notices.count }

    /// Withdraws the notifications of pages that wait for a stream or for another try; open requests stay.
    public func withdraw(_ pages: [NoticePage]) async {
        let tickets = notices.tickets(of: pages)
        guard !tickets.isEmpty else { return }
        for lane in lanes { await lane.withdraw(tickets) }
        await digest()
    }

    /// Forgets pages; their notifications are still sent.
    public func close(_ pages: [NoticePage]) { notices.close(pages) }

    /// Sends one notification to many devices, optionally as part of a page; its body is encoded once.
    ///
    /// Without content it is a background push, which only wakes the apps.
    public func notify(
        _ recipients: [PushRecipient],
        of match: MatchID,
        _ content: NotificationContent?,
        on page: NoticePage? = nil
    ) async {
        let kind: PayloadKind = content == nil ? .background : .alert
        let (body, passive): (BodyBytes, BodyBytes?)
        do throws(PayloadError) {
            (body, passive) = try Self.bodies(of: content)
        } catch {
            metrics.payloadTooLarge(kind)
            log.error("notification too large", metadata: ["match.id": "\(match)"])
            return
        }
        // The same notification for the same device is the same push on every node.
        let edition = content.flatMap { $0.edition == 0 ? nil : " \($0.edition)" } ?? ""
        let digest = FNV1a.hash("\(content?.collapseID ?? "")\(edition)".utf8)
        let expiration = (clock.wall + PushLimits.alertLifetime).seconds
        let seed = RequestSeed(match: match, revision: Int64(bitPattern: digest), kind: kind, key: idKey)
        send(recipients, on: page) { ticket, recipient in
            DirectedPush(
                ticket: ticket,
                kind: kind,
                match: match,
                target: .init(recipient),
                body: body,
                priority: content?.priority ?? .five,
                expiration: expiration,
                seed: seed,
                whenAmbiguous: passive.map { AmbiguousFollowUp.replace($0) } ?? .repeat,
                repeatsWhenFailed: true,
                collapseID: content?.collapseHeader,
                recall: content?.recall
            )
        }
    }

    /// Lets WidgetKit reload the widgets of devices, as part of a page.
    ///
    /// APNs does not store these pushes: a phone that is off reloads its widgets by their timeline. A push whose fate
    /// is unknown is not repeated, since a second one would cost a part of the day's few reloads.
    public func reloadWidgets(
        _ recipients: [PushRecipient],
        of match: MatchID,
        at revision: Revision,
        priority: PushPriority,
        on page: NoticePage
    ) {
        // The body has a fixed size.
        guard let body = (try? Envelope.widgets()).map({ BodyBytes($0) }) else { return }
        let seed = RequestSeed(match: match, revision: revision.number, kind: .widgets, key: idKey)
        send(recipients, on: page) { ticket, recipient in
            DirectedPush(
                ticket: ticket,
                kind: .widgets,
                match: match,
                target: .init(recipient),
                body: body,
                priority: priority,
                expiration: 0,
                seed: seed,
                whenAmbiguous: .giveUp,
                repeatsWhenFailed: true
            )
        }
    }

    /// Sends one push to each recipient whose environment is served.
    private func send(
        _ recipients: [PushRecipient],
        on page: NoticePage?,
        _ push: (UInt64, PushRecipient) -> DirectedPush
    ) {
        var pushes: [(PushRecipient, DirectedPush)] = []
        for recipient in recipients where configuration.environments[recipient.environment] != nil {
            let ticket = nextTicket()
            if let page { notices.add(ticket, to: recipient.device, on: page) }
            pushes.append((recipient, push(ticket, recipient)))
        }
        distribute(pushes)
    }

    /// The body of a notification or of a background push, and that of a repetition without its alert.
    private static func bodies(
        of content: NotificationContent?
    ) throws(PayloadError) -> (BodyBytes, passive: BodyBytes?) {
        guard let content else { return (BodyBytes(try Envelope.background()), nil) }
        let body = BodyBytes(try Envelope.notification(content.payload))
        guard let passive = content.passivePayload else { return (body, nil) }
        return (body, BodyBytes(try Envelope.notification(passive)))
    }

    /// Sends the starts that are due.
    func makeDueStarts() async {
        guard !isLeaving else { return }
        var pushes: [(PushRecipient, DirectedPush)] = []
        for planned in starts.due(at: clock.domain) {
            let push = DirectedPush(
                ticket: nextTicket(),
                kind: .start,
                match: planned.match,
                target: .init(planned.start.recipient),
                body: planned.body,
                priority: .ten,
                expiration: (clock.wall + PushLimits.alertLifetime).seconds,
                seed: RequestSeed(match: planned.match, revision: planned.revision, kind: .start, key: idKey),
                whenAmbiguous: .giveUp,
                repeatsWhenFailed: true
            )
            if case .channel(let channel) = planned.start.subscription { startChannels[push.ticket] = channel }
            pushes.append((planned.start.recipient, push))
        }
        distribute(pushes)
    }

    /// Sends ends, first tries and repetitions alike.
    func send(_ pendingEnds: [EndRetrySchedule.PendingEnd]) {
        var pushes: [(PushRecipient, DirectedPush)] = []
        for pendingEnd in pendingEnds where configuration.environments[pendingEnd.end.recipient.environment] != nil {
            let end = pendingEnd.end
            guard let body = try? Envelope.end(end.content) else {
                metrics.payloadTooLarge(.end)
                continue
            }
            let ticket = nextTicket()
            ends[ticket] = pendingEnd
            let push = DirectedPush(
                ticket: ticket,
                kind: .end,
                match: end.content.match,
                target: .init(end.recipient),
                body: BodyBytes(body),
                priority: .five,
                expiration: (clock.wall + PushLimits.endLifetime).seconds,
                seed: RequestSeed(of: end.content, key: idKey),
                whenAmbiguous: .repeat,
                repeatsWhenFailed: true
            )
            pushes.append((end.recipient, push))
        }
        distribute(pushes)
    }

    /// Processes the results of directed requests.
    func settle(_ results: [DirectedResult]) async {
        var outcomes: [DirectedOutcome] = []
        for result in results {
            awaited.removeValue(forKey: result.ticket)?.resume(returning: result)
            guard case .device(let device, let generation, _) = result.target else {
                if let ended = await channels.settle(result) { await report(ended) }
                continue
            }
            if let pendingEnd = ends.removeValue(forKey: result.ticket) {
                // An expired end stays marked in the store, and the sweep ends the activity again.
                if !result.outcome.isAnswer, !result.isExpired {
                    if endRetries.failed(pendingEnd) { continue }
                    metrics.expired(.end, "retrying", 1)
                    expired[result.environment, default: 0] += 1
                }
            }
            outcomes.append(
                DirectedOutcome(
                    kind: result.kind,
                    match: result.match,
                    device: device,
                    generation: generation,
                    environment: result.environment,
                    outcome: result.outcome,
                    apnsTimestampMilliseconds: result.apnsTimestampMilliseconds,
                    channel: startChannels.removeValue(forKey: result.ticket)
                )
            )
        }
        await report(outcomes)
    }

    private func report(_ outcomes: [DirectedOutcome]) async {
        if !outcomes.isEmpty { await observer?.settled(outcomes) }
    }

    private func report(_ ended: ChannelEndOutcome) async {
        if !ended.isOver {
            metrics.expired(.end, "retrying", 1)
            expired[ended.environment, default: 0] += 1
        }
        await observer?.ended(ended)
    }

    func nextTicket() -> UInt64 {
        lastTicket += 1
        return lastTicket
    }

    func distribute(_ pushes: [(PushRecipient, DirectedPush)]) {
        var shares: [PushEnvironment: [[DirectedPush]]] = [:]
        for (recipient, push) in pushes {
            let lane = Int(Bucket(of: recipient.device).number) % lanes.count
            shares[recipient.environment, default: Array(repeating: [], count: lanes.count)][lane].append(push)
        }
        for (environment, shares) in shares {
            for (lane, share) in shares.enumerated() where !share.isEmpty { lanes[lane].send(share, in: environment) }
        }
    }
}
