// Activities may end before their match: silent ones, an operator's order, erased devices, a day's end, renewals.

public import FollowService
internal import Logging
internal import MatchEngine
internal import MatchJournal
internal import PushDispatcher
public import ScoreTypes

/// Ends activities: marks them in the store, sends the end, and records it when APNs has answered.
public struct ActivityEnding: Sendable {
    let stores: FollowerStores
    let dispatcher: Dispatcher
    let publications: PublicationCache
    let recorder: OutcomeRecorder
    private let log = Logger(label: "score.ends")

    init(stores: FollowerStores, dispatcher: Dispatcher, publications: PublicationCache, recorder: OutcomeRecorder) {
        self.stores = stores
        self.dispatcher = dispatcher
        self.publications = publications
        self.recorder = recorder
    }

    // MARK: Activities

    /// Sends the ends of activities that the store has marked as ending.
    ///
    /// An activity on a channel is recorded as ended at once, since the channel's broadcast ends it.
    public func end(_ ending: [EndingActivity]) async {
        for (match, group) in Dictionary(grouping: ending, by: \.match) {
            guard let newest = try? await publications.newest(of: match) else { continue }
            var contents = EndContents(of: newest)
            var ends: [PushEnd] = []
            var onChannels: [EndingActivity] = []
            for activity in group {
                guard case .token(let token) = activity.route else {
                    onChannels.append(activity)
                    continue
                }
                recorder.awaitEnd(of: activity)
                let form = EndContents.Form(variant: activity.variant, isFarewell: activity.reason == .expired)
                let recipient = PushRecipient(
                    device: activity.device,
                    generation: activity.generation,
                    environment: activity.environment,
                    token: token
                )
                ends.append(PushEnd(recipient, content: contents[form]))
            }
            await recorder.complete(onChannels)
            await dispatcher.end(ends)
            await wake(onChannels.filter { [.unfollowed, .operator].contains($0.reason) })
        }
    }

    /// Removes old activities whose phones have new ones; the store no longer has the old ones.
    func end(_ renewed: [RenewalSchedule.Kept], of match: MatchID) async {
        guard !renewed.isEmpty, let newest = try? await publications.newest(of: match) else { return }
        var contents = EndContents(of: newest, dismissAfter: .zero)
        let ends = renewed.map { kept in
            PushEnd(
                PushRecipient(
                    device: kept.activity.device,
                    generation: kept.activity.generation,
                    environment: kept.activity.environment,
                    token: kept.token
                ),
                content: contents[EndContents.Form(variant: kept.activity.variant)]
            )
        }
        await dispatcher.end(ends)
    }

    /// Ends the activities on tokens that a day's play has left; false if the dispatcher's queue is full before that.
    ///
    /// Activities that are registered after the day's end belong to the next day.
    func endDay(of match: MatchID, _ pass: inout DayEndPass) async throws -> Bool {
        while let after = pass.cursor {
            guard await dispatcher.hasRoom else { return false }
            let page = try await stores.activities.activeOnTokens(
                of: match,
                registeredBefore: pass.end,
                in: pass.buckets,
                after: after,
                limit: LiveActivityLimits.endsPerBatch
            )
            if !page.members.isEmpty {
                await end(try await stores.activities.beginEnd(match: match, devices: page.members, reason: .over))
            }
            pass.cursor = page.next
        }
        return true
    }

    /// Ends all activities of a match, on tokens and on channels.
    ///
    /// A hundred thousand are marked within the deadline of an operator's call: a thousand take some ten milliseconds.
    ///
    /// - Throws: `FollowError` when the store cannot answer; what was ended until then stays ended.
    public func endAll(of match: MatchID, because reason: EndReason) async throws {
        for record in try await stores.channels.channels(of: match) where record.retiredAt == nil {
            await end(record, because: reason)
        }
        // Activities on a channel in use are recorded with its answer; those on a retired one are only marked.
        var cursor: AudienceCursor? = .start
        while let after = cursor {
            let page = try await stores.activities.activeOutsideChannels(
                of: match,
                after: after,
                limit: LiveActivityLimits.endsPerBatch
            )
            if !page.members.isEmpty {
                await end(try await stores.activities.beginEnd(match: match, devices: page.members, reason: reason))
            }
            cursor = page.next
        }
    }

    /// Wakes apps whose activity on a channel only they can end; the next reconcile names it to them.
    private func wake(_ ended: [EndingActivity]) async {
        for activity in ended {
            // A device that cannot be reached now ends it when the app is next opened.
            guard let device = try? await stores.devices.find(activity.device), let alert = device.alertToken else {
                continue
            }
            let recipient = PushRecipient(
                device: activity.device,
                generation: alert.generation,
                environment: device.environment,
                token: alert.token
            )
            await dispatcher.notify([recipient], of: activity.match, nil)
        }
    }

    // MARK: Channels

    /// Repeats the end of a channel whose sender may be gone, for phones that were off.
    func repeatEnd(of record: ChannelRecord, acceptedAt at: Instant, now: Instant) async {
        let (channel, channels) = (record.channel, dispatcher.channels)
        guard await !channels.isEnding(channel), let newest = try? await publications.newest(of: record.match)
        else { return }
        // A phone that moved in time has another activity; the others received the farewell.
        let isFarewell = record.supersededAt != nil && record.isOpened(before: at - FollowLimits.unrenewedAge)
        let isReplaced = record.supersededAt != nil && !isFarewell
        var contents = EndContents(of: newest, dismissAfter: isReplaced ? .zero : PushLimits.dismissAfter)
        let form = EndContents.Form(variant: variant(of: record.attributesType), isFarewell: isFarewell)
        await channels.repeatEnd(of: channel, in: record.environment, with: contents[form], acceptedFor: now - at)
    }

    /// Ends the activities on a channel, and retires it if wanted when APNs has accepted the end.
    ///
    /// With a farewell, the activities of phones that have not moved to the next channel say that following continues.
    func end(
        _ channel: ChannelRecord,
        because reason: EndReason,
        isFarewell: Bool = false,
        dismissAfter: Duration = PushLimits.dismissAfter,
        retires: Bool = false
    ) async {
        guard let newest = try? await publications.newest(of: channel.match) else { return }
        let form = EndContents.Form(variant: variant(of: channel.attributesType), isFarewell: isFarewell)
        var contents = EndContents(of: newest, dismissAfter: dismissAfter)
        // If APNs does not accept it the channel stays open, and the next round or sweep ends it again.
        recorder.awaitEnd(of: channel.channel) { [stores, dispatcher, log] in
            do {
                _ = try await stores.silent.finish(channel, in: Bucket.all, reason: reason)
                guard retires else { return }
                try await dispatcher.channels.retire(channel.channel, in: channel.environment, of: channel.match)
            } catch {
                log.warning("channel not retired", metadata: ["match.id": "\(channel.match)", "error": "\(error)"])
            }
        }
        await dispatcher.end(channel: channel.channel, in: channel.environment, with: contents[form])
    }

    private func variant(of attributesType: String) -> ActivityVariant {
        attributesType == SurfaceRenderer.attributesType ? .portable : .own
    }
}
