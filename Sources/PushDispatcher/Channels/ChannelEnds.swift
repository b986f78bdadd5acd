// A missed end leaves an old activity on a phone, so the end of a channel is repeated even after APNs accepted it.

public import ScoreTypes

/// The result of the end of a channel.
public struct ChannelEndOutcome: Sendable, Hashable {
    /// The channel.
    public let channel: ChannelID
    /// APNs environment.
    public let environment: PushEnvironment
    /// Whether APNs accepted it, or the channel does not exist; false if it was given up after its last try.
    public let isOver: Bool
}

/// The current ends of channels, each repeated on the schedule of ends whatever the answers: APNs stores nothing for
/// phones that are offline (PUBLICATION section 3).
struct ChannelEnds {
    /// The effect of an order to end a channel.
    enum Beginning {
        case first
        /// An end is open or scheduled; its next try carries the new content.
        case underWay
        /// APNs accepted this very end before.
        case accepted
    }

    struct Due {
        let channel: ChannelID
        let environment: PushEnvironment
        let content: EndContent
        /// Whether APNs accepted it before.
        let isAccepted: Bool
    }

    private struct OpenEnd {
        let environment: PushEnvironment
        var content: EndContent
        /// The times of the repetitions, in real time.
        var steps: [Duration]
        var isAccepted = false
        var ticket: UInt64?
    }

    private var openEnds: [ChannelID: OpenEnd] = [:]
    private var tickets: [UInt64: ChannelID] = [:]

    /// Takes an order; the first one is sent at once.
    mutating func begin(
        _ channel: ChannelID,
        in environment: PushEnvironment,
        with content: EndContent,
        at clock: ServiceClock
    ) -> Beginning {
        if let known = openEnds[channel], !known.isAccepted {
            openEnds[channel]?.content = content
            return .underWay
        }
        if let known = openEnds[channel], known.content.revision == content.revision { return .accepted }
        let now = clock.monotonic
        guard openEnds[channel] != nil || openEnds.count < PushLimits.channelsEnding else { return .first }
        openEnds[channel] = OpenEnd(
            environment: environment,
            content: content,
            steps: EndRetrySchedule.delays(on: clock).map { now + $0 }
        )
        return .first
    }

    /// Whether the end of a channel is being sent or repeated.
    func contains(_ channel: ChannelID) -> Bool { openEnds[channel] != nil }

    /// Takes over an end that APNs accepted from another node `age` ago, with its remaining repetitions.
    mutating func adopt(
        _ channel: ChannelID,
        in environment: PushEnvironment,
        with content: EndContent,
        acceptedFor age: Duration,
        at clock: ServiceClock
    ) {
        guard openEnds[channel] == nil, openEnds.count < PushLimits.channelsEnding else { return }
        let now = clock.monotonic
        let steps = EndRetrySchedule.delays(on: clock).filter { $0 > age }.map { now + $0 - age }
        guard !steps.isEmpty else { return }
        openEnds[channel] = OpenEnd(environment: environment, content: content, steps: steps, isAccepted: true)
    }

    mutating func sent(_ channel: ChannelID, _ ticket: UInt64) {
        guard openEnds[channel] != nil else { return }
        openEnds[channel]?.ticket = ticket
        tickets[ticket] = channel
    }

    /// Returns the repetitions that are due; an end that waits for an answer is not sent twice.
    mutating func due(at now: Duration) -> [Due] {
        var due: [Due] = []
        for (channel, openEnd) in openEnds where openEnd.steps.first.map({ $0 <= now }) == true {
            openEnds[channel]?.steps.removeFirst()
            guard openEnd.ticket == nil else { continue }
            due.append(
                Due(
                    channel: channel,
                    environment: openEnd.environment,
                    content: openEnd.content,
                    isAccepted: openEnd.isAccepted
                )
            )
        }
        return due
    }

    /// Applies an answer; returns the end's result if it has changed.
    mutating func settle(_ result: DirectedResult) -> ChannelEndOutcome? {
        guard let channel = tickets.removeValue(forKey: result.ticket), var openEnd = openEnds[channel],
            openEnd.ticket == result.ticket
        else { return nil }
        openEnd.ticket = nil
        let wasAccepted = openEnd.isAccepted
        if result.outcome.isFinalForRecipient { openEnd.isAccepted = true }
        // The channel does not exist, or the app may not use channels: repetitions are useless.
        if result.outcome.isFinalForRecipient, result.outcome != .accepted { openEnd.steps = [] }
        openEnds[channel] = openEnd.steps.isEmpty ? nil : openEnd
        guard openEnd.isAccepted != wasAccepted || openEnd.steps.isEmpty && !openEnd.isAccepted else { return nil }
        return ChannelEndOutcome(channel: channel, environment: openEnd.environment, isOver: openEnd.isAccepted)
    }

    /// Removes an end: the channel has newer states.
    mutating func drop(_ channel: ChannelID) { openEnds[channel] = nil }

    mutating func forget(_ match: MatchID) { openEnds = openEnds.filter { $0.value.content.match != match } }
}
