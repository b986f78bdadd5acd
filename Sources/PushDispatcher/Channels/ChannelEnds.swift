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
    /// Channels that may be ending at a time: as many as Apple allows an app; beyond it an end is said once.
    static let countMax = 10_000

    /// What an order to end a channel leads to.
    enum Beginning {
        case first
        /// Another try is under way or due; it takes the newer content along.
        case underWay
        /// APNs took this very end before.
        case told
    }

    struct Due {
        let channel: ChannelID
        let environment: PushEnvironment
        let content: EndContent
        /// Whether APNs took it before.
        let isTold: Bool
    }

    private struct Climb {
        let environment: PushEnvironment
        var content: EndContent
        /// When it is said again, in real time.
        var steps: [Duration]
        var isTold = false
        var ticket: UInt64?
    }

    private var climbs: [ChannelID: Climb] = [:]
    private var tickets: [UInt64: ChannelID] = [:]

    /// Takes an order; the first one is to be said at once.
    mutating func begin(
        _ channel: ChannelID,
        in environment: PushEnvironment,
        with content: EndContent,
        at clock: ServiceClock
    ) -> Beginning {
        if let known = climbs[channel], !known.isTold {
            climbs[channel]?.content = content
            return .underWay
        }
        if let known = climbs[channel], known.content.revision == content.revision { return .told }
        let now = clock.monotonic
        guard climbs[channel] != nil || climbs.count < Self.countMax else { return .first }
        climbs[channel] = Climb(
            environment: environment,
            content: content,
            steps: EndLadder.steps(on: clock).map { now + $0 }
        )
        return .first
    }

    /// Whether an end of a channel is on its way, or is to be said again.
    func knows(_ channel: ChannelID) -> Bool { climbs[channel] != nil }

    /// Takes over an end that APNs took from somebody else so long ago: the steps that are to come.
    mutating func adopt(
        _ channel: ChannelID,
        in environment: PushEnvironment,
        with content: EndContent,
        toldFor age: Duration,
        at clock: ServiceClock
    ) {
        guard climbs[channel] == nil, climbs.count < Self.countMax else { return }
        let now = clock.monotonic
        let steps = EndLadder.steps(on: clock).filter { $0 > age }.map { now + $0 - age }
        guard !steps.isEmpty else { return }
        climbs[channel] = Climb(environment: environment, content: content, steps: steps, isTold: true)
    }

    mutating func sent(_ channel: ChannelID, _ ticket: UInt64) {
        guard climbs[channel] != nil else { return }
        climbs[channel]?.ticket = ticket
        tickets[ticket] = channel
    }

    /// What is to be said again now; what still waits for an answer is not doubled.
    mutating func due(at now: Duration) -> [Due] {
        var due: [Due] = []
        for (channel, climb) in climbs where climb.steps.first.map({ $0 <= now }) == true {
            climbs[channel]?.steps.removeFirst()
            guard climb.ticket == nil else { continue }
            due.append(
                Due(
                    channel: channel,
                    environment: climb.environment,
                    content: climb.content,
                    isTold: climb.isTold
                )
            )
        }
        return due
    }

    /// Books an answer; returns what became of the end when that is news.
    mutating func settle(_ result: DirectedResult) -> ChannelEndOutcome? {
        guard let channel = tickets.removeValue(forKey: result.ticket), var climb = climbs[channel],
            climb.ticket == result.ticket
        else { return nil }
        climb.ticket = nil
        let wasTold = climb.isTold
        if result.outcome.isAnswer { climb.isTold = true }
        // There is nothing to say it on: the channel, or our right to any, is gone.
        if result.outcome.isAnswer, result.outcome != .accepted { climb.steps = [] }
        climbs[channel] = climb.steps.isEmpty ? nil : climb
        guard climb.isTold != wasTold || climb.steps.isEmpty && !climb.isTold else { return nil }
        return ChannelEndOutcome(channel: channel, environment: climb.environment, isOver: climb.isTold)
    }

    /// The channel speaks again: what was its end is none any more.
    mutating func drop(_ channel: ChannelID) { climbs[channel] = nil }

    mutating func forget(_ match: MatchID) { climbs = climbs.filter { $0.value.content.match != match } }
}
