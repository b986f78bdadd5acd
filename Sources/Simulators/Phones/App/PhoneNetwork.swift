// The network between a phone's app and the server, with faults that a seed draws.

import ScoreTypes
import Synchronization

/// The faults of a phone's network.
public struct PhoneNetworkFaults: Sendable, Hashable {
    /// The part of requests, 0 to 1, that never reach the server.
    public var lostRequests = 0.0
    /// The part of answers, 0 to 1, that are lost after the server has acted.
    public var lostAnswers = 0.0
    /// The longest real time by which an answer is late; the time is drawn evenly.
    public var longestDelay = Duration.zero

    /// Describes a network without faults.
    public init() {}

    /// A network at the edge of its range: one request in ten is lost, and answers are late.
    static let weak: PhoneNetworkFaults = {
        var faults = PhoneNetworkFaults()
        (faults.lostRequests, faults.lostAnswers, faults.longestDelay) = (0.05, 0.05, .milliseconds(500))
        return faults
    }()
}

/// The network of one phone; may be used from any thread.
public final class PhoneNetwork: Sendable {
    /// The fate of one request.
    struct RequestFate: Sendable, Hashable {
        var isRequestLost: Bool
        var isAnswerLost: Bool
        var delay: Duration
    }

    private let generator: Mutex<SplitMix64>
    private let faults: PhoneNetworkFaults
    private let isReachable: @Sendable () -> Bool

    /// Makes a network.
    ///
    /// - Parameters:
    ///   - seed: Draws the fate of each request.
    ///   - faults: The faults.
    ///   - isReachable: Whether the phone has a network and its app runs.
    public init(
        seed: UInt64,
        faults: PhoneNetworkFaults = PhoneNetworkFaults(),
        isReachable: @escaping @Sendable () -> Bool = { true }
    ) {
        generator = Mutex(SplitMix64(seed: seed))
        self.faults = faults
        self.isReachable = isReachable
    }

    /// Whether the phone has a network and its app runs.
    var isOnline: Bool { isReachable() }

    /// Draws the fate of the next request.
    func next() -> RequestFate {
        let (request, answer, delay) = generator.withLock { ($0.unit(), $0.unit(), $0.unit()) }
        return RequestFate(
            isRequestLost: !isOnline || request < faults.lostRequests,
            isAnswerLost: answer < faults.lostAnswers,
            delay: faults.longestDelay * delay
        )
    }
}
