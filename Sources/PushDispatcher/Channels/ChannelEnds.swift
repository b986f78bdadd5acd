// An end that no phone heard leaves an old card: on a channel it is said until APNs took it, and then again for all.

public import ScoreTypes

/// What became of the end of a channel.
public struct ChannelEndOutcome: Sendable, Hashable {
    /// The channel.
    public let channel: ChannelID
    /// Apple's world.
    public let environment: PushEnvironment
    /// Whether APNs took it, or nobody can be reached there; false when it was given up after its last try.
    public let isOver: Bool
}

/// The ends of channels on their way, each repeated at the steps of the end ladder whatever was answered before: APNs
/// stores nothing for who was away (PUBLICATION section 3).
struct ChannelEnds {
    /// What an order to end a channel leads to.
    enum Beginning {
        case first
        /// Another try is under way or due; it takes the newer content along.
        case underWay
        /// APNs took this very end before.
        case accepted
    }

    struct Due {
        let channel: ChannelID
        let environment: PushEnvironment
        let content: EndContent
        /// Whether APNs took it before.
        let isAccepted: Bool
    }

    private struct OpenEnd {
        let environment: PushEnvironment
        var content: EndContent
        /// When it is said again, in real time.
        var steps: [Duration]
        var isAccepted = false
        var ticket: UInt64?
    }

    private var openEnds: [ChannelID: OpenEnd] = [:]
    private var tickets: [UInt64: ChannelID] = [:]

    /// Takes an order; the first one is to be said at once.
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

    /// Whether an end of a channel is on its way, or is to be said again.
    func contains(_ channel: ChannelID) -> Bool { openEnds[channel] != nil }

    /// Takes over an end that APNs took from somebody else so long ago: the steps that are to come.
    mutating func adopt(
        _ channel: ChannelID,
        in environment: PushEnvironment,
        with content: EndContent,
        toldFor age: Duration,
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

    /// What is to be said again now; what still waits for an answer is not doubled.
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

    /// Books an answer; returns what became of the end when that is news.
    mutating func settle(_ result: DirectedResult) -> ChannelEndOutcome? {
        guard let channel = tickets.removeValue(forKey: result.ticket), var openEnd = openEnds[channel],
            openEnd.ticket == result.ticket
        else { return nil }
        openEnd.ticket = nil
        let wasAccepted = openEnd.isAccepted
        if result.outcome.isAnswer { openEnd.isAccepted = true }
        // There is nothing to say it on: the channel, or our right to any, is gone.
        if result.outcome.isAnswer, result.outcome != .accepted { openEnd.steps = [] }
        openEnds[channel] = openEnd.steps.isEmpty ? nil : openEnd
        guard openEnd.isAccepted != wasAccepted || openEnd.steps.isEmpty && !openEnd.isAccepted else { return nil }
        return ChannelEndOutcome(channel: channel, environment: openEnd.environment, isOver: openEnd.isAccepted)
    }

    /// The channel speaks again: what was its end is none any more.
    mutating func drop(_ channel: ChannelID) { openEnds[channel] = nil }

    mutating func forget(_ match: MatchID) { openEnds = openEnds.filter { $0.value.content.match != match } }
}
