// Phone and server both list activities; the lists are compared when the app comes to the foreground.

public import ScoreTypes

/// An activity as an app lists it.
public struct ReportedActivity: Sendable, Hashable {
    /// A state of ActivityKit, by its name in the API.
    public enum State: String, Sendable, Hashable, CaseIterable {
        case active, stale, pending, ended, dismissed
    }

    /// ActivityKit's id.
    public let activityID: ActivityID
    /// The match that it shows.
    public let match: MatchID
    /// ActivityKit's state.
    public let state: State
    /// The fingerprint of its token as the app knows it, 12 hexadecimal digits; nil for an activity on a channel.
    public let tokenFingerprint: String?
    /// The channel that it subscribed to; nil on a token, and when the app does not know it.
    public let channel: ChannelID?
    /// The revision on the screen; nil when the app did not report it.
    public let shownRevision: Int64?

    /// Makes an entry of a list.
    public init(
        activityID: ActivityID,
        match: MatchID,
        state: State = .active,
        tokenFingerprint: String? = nil,
        channel: ChannelID? = nil,
        shownRevision: Int64? = nil
    ) {
        self.activityID = activityID
        self.match = match
        self.state = state
        self.tokenFingerprint = tokenFingerprint
        self.channel = channel
        self.shownRevision = shownRevision
    }

    /// Whether the activity still takes updates.
    public var isRunning: Bool { state != .ended && state != .dismissed }
}

/// The revision that a phone shows of a running activity, and the one that APNs accepted for it.
public struct ShownActivity: Sendable, Hashable {
    /// ActivityKit's id.
    public let activityID: ActivityID
    /// The match that it shows.
    public let match: MatchID
    /// The revision on the screen, as the app reports.
    public let shown: Int64
    /// The newest revision that APNs accepted for its bucket or its channel; 0 for none.
    public let accepted: Int64
    /// The start as the app reports it.
    public let startedAt: Instant

    /// Describes what a phone shows.
    public init(activityID: ActivityID, match: MatchID, shown: Int64, accepted: Int64, startedAt: Instant) {
        self.activityID = activityID
        self.match = match
        self.shown = shown
        self.accepted = accepted
        self.startedAt = startedAt
    }
}

/// The work of the app after a comparison, and the activities that were ended.
public struct ReconcileOutcome: Sendable, Hashable {
    /// Activities that the app has to end.
    public var end: [ActivityID] = []
    /// Activities whose token or channel the app has to register again.
    public var unknownTokens: [ActivityID] = []
    /// Activities that the server had active and the app no longer has; they are ended now.
    public var missing: [ActivityID] = []
    /// Activities that both hold and whose app said what they show, also those whose token is to be registered again.
    public var shown: [ShownActivity] = []
    /// The kinds of tokens that the app has to register again: taken over by another device, removed or rejected.
    public var movedTokens: [DeviceTokenKind] = []
}

/// The comparison itself.
struct Reconciliation {
    /// A stored activity, as far as it matters here.
    struct Stored: Sendable {
        let match: MatchID
        let activityID: ActivityID
        let generation: Int32
        let clientSequence: Int64
        let isActive: Bool
        let endReason: EndReason?
        /// Nil on a channel.
        let fingerprint: String?
        /// Nil on a token.
        let channel: ChannelID?
        /// The newest revision that APNs accepted for its bucket or its channel.
        let accepted: Int64
        let startedAt: Instant

        /// The activity with the revision that its phone reports; nil when it has ended.
        func showing(_ revision: Int64) -> ShownActivity? {
            guard isActive else { return nil }
            return ShownActivity(
                activityID: activityID,
                match: match,
                shown: revision,
                accepted: accepted,
                startedAt: startedAt
            )
        }
    }

    private(set) var outcome = ReconcileOutcome()
    /// The activities to end in the store: match, generation and reason.
    private(set) var closing: [(match: MatchID, generation: Int32, reason: EndReason)] = []
    /// Running activities on a channel that no registration has reported: each counts as a start on its channel.
    private(set) var started: [MatchID: ChannelID] = [:]

    /// The matches with a running activity; a start of any other match shows nothing.
    let shownMatches: Set<MatchID>

    /// Compares the lists.
    ///
    /// - `channels`: The channels of each match on which something is still broadcast.
    /// - `unfollowed`: Matches that the device follows no longer, with its count when it said so; an activity that is
    ///   stored with a higher one was started after that and stays.
    /// - `clientSequence`: The device's count at the report; what it registered later is not compared.
    init(
        reported: [ReportedActivity],
        stored: [Stored],
        unfollowed: [MatchID: Int64],
        channels: [MatchID: Set<ChannelID>] = [:],
        clientSequence: Int64
    ) {
        shownMatches = Set(reported.filter(\.isRunning).map(\.match))
        let byMatch = Dictionary(stored.map { ($0.match, $0) }) { first, _ in first }
        let active = Set(reported.filter(\.isRunning).map(\.activityID))
        for activity in reported where activity.isRunning {
            let stored = byMatch[activity.match]
            let isUnfollowed = unfollowed[activity.match].map { $0 > stored?.clientSequence ?? -1 } ?? false
            // The device registered another activity after it made the list.
            let isNewer = stored.map { $0.isActive && $0.clientSequence > clientSequence } ?? false
            if isNewer, let stored, !active.contains(stored.activityID), !isUnfollowed { continue }
            // Nothing is broadcast on a channel that is retired, or is not the match's.
            let isDead = activity.channel.map { channels[activity.match]?.contains($0) != true } ?? false
            judge(activity, stored: stored, beside: active, isUseless: isUnfollowed || isDead)
        }
        let gone = Set(reported.filter { !$0.isRunning }.map(\.activityID))
        for row in stored where row.isActive && !active.contains(row.activityID) && row.clientSequence < clientSequence
        {
            closing.append((row.match, row.generation, gone.contains(row.activityID) ? .ended : .missing))
            outcome.missing.append(row.activityID)
        }
    }

    private mutating func judge(
        _ activity: ReportedActivity,
        stored: Stored?,
        beside active: Set<ActivityID>,
        isUseless: Bool
    ) {
        guard !isUseless else {
            outcome.end.append(activity.activityID)
            return
        }
        guard let stored, stored.activityID == activity.activityID else {
            // Where the phone shows the other one too, renewal has put that beside this: it is the one to keep.
            let isReplaced = stored.map { $0.isActive && active.contains($0.activityID) } ?? false
            if isReplaced {
                outcome.end.append(activity.activityID)
            } else {
                outcome.unknownTokens.append(activity.activityID)
                started[activity.match] = activity.channel
            }
            return
        }
        if let shown = activity.shownRevision.flatMap({ stored.showing($0) }) { outcome.shown.append(shown) }
        switch (stored.isActive, stored.endReason) {
        case (true, _)
        where stored.fingerprint == activity.tokenFingerprint
            && (activity.channel == nil || activity.channel == stored.channel):
            break
        case (true, _), (false, .rejected), (false, .missing), (false, .moved):
            outcome.unknownTokens.append(activity.activityID)
            if !stored.isActive { started[activity.match] = activity.channel }
        case (false, _): outcome.end.append(activity.activityID)
        }
    }
}
