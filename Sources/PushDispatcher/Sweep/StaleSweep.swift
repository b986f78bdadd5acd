// Decides which activities have fallen silent: a phone must not show yesterday's score for ever.

public import ScoreTypes

/// The decision of the sweep, a pure function of the candidates and the time.
public struct StaleSweep: Sendable {
    /// Nothing accepted for this long makes an activity silent (PUBLICATION section 4).
    public static let silenceMax: Duration = .seconds(30 * 60)

    /// What is to be done with the candidates.
    public struct Decision: Sendable {
        /// To be ended with the last state.
        public var ends: [PushEnd] = []
        /// The activities behind the ends.
        public var ending: [SilentActivity] = []
        /// Still fresh.
        public var freshCount = 0
        /// Without a state to leave behind; the next run sees them again.
        public var statelessCount = 0
    }

    /// Sorts candidates.
    ///
    /// - Parameters:
    ///   - candidates: What the records hold.
    ///   - now: Wall time, as the records were written in.
    ///   - silence: How long is too long; shorter only under a scaled clock.
    ///   - lastState: The state to leave behind, by match; nil when none was published here.
    /// - Returns: The decision.
    public static func decide(
        _ candidates: [SilentActivity],
        at now: Instant,
        silence: Duration = silenceMax,
        lastState: (MatchID) -> EndContent?
    ) -> Decision {
        var decision = Decision()
        for candidate in candidates {
            if let last = candidate.lastAcceptedAt, now - last < silence {
                decision.freshCount += 1
                continue
            }
            guard let content = lastState(candidate.match) else {
                decision.statelessCount += 1
                continue
            }
            decision.ending.append(candidate)
            decision.ends.append(
                PushEnd(
                    device: candidate.device,
                    generation: candidate.generation,
                    environment: candidate.environment,
                    token: candidate.token,
                    content: content
                )
            )
        }
        return decision
    }
}
