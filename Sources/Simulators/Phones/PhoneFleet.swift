// Many phones that follow one match, and what their Lock Screens have in common.

public import ScoreTypes

/// The state of the Lock Screens of a fleet.
public struct PhoneFleetReport: Sendable, Equatable {
    /// Phones in the fleet.
    public var phones = 0
    /// Phones that show the given revision.
    public var atNewest = 0
    /// Times that a state was shown after a newer one.
    public var wentBack = 0
    /// Phones whose activity was ended.
    public var ended = 0
    /// Pushes that did not decode on a phone.
    public var undecodable = 0
}

/// Runs the phones; the network calls of all share a few workers.
public final class PhoneFleet: Sendable {
    private let phones: [Phone]
    private let woken: AsyncStream<Int>

    /// Makes phones of `APNsTestAccount`'s app that follow a match; nothing is sent yet.
    ///
    /// The part `channelShare` of them, 0 to 1, runs iOS 18 and has its activity on a broadcast channel; `seed` draws
    /// tokens and ids.
    public init(
        count: Int,
        channelShare: Double,
        match: MatchID,
        seed: UInt64,
        api: PhoneAPI,
        network: APNsSimulator,
        clock: ServiceClock
    ) {
        // Each phone wakes at most once for each start, and is started once or twice.
        let (woken, waker) = AsyncStream.makeStream(
            of: Int.self,
            bufferingPolicy: .bufferingNewest(4 * max(1, count))
        )
        self.woken = woken
        let setting = PhoneSetting(match: match, api: api, network: network, clock: clock, wake: { waker.yield($0) })
        let onChannel = Int((Double(count) * min(max(channelShare, 0), 1)).rounded())
        phones = (0..<count).map { number in
            Phone(number: number, usesChannel: number < onChannel, seed: seed, setting: setting)
        }
    }

    /// Registers all phones and lets them follow the match.
    ///
    /// - Throws: `PhoneError` of the first phone that the server refused.
    public func enroll() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, phone) in phones.enumerated() {
                if index >= SimulatorLimits.fleetCalls { try await group.next() }
                group.addTask { try await phone.enroll() }
            }
            try await group.waitForAll()
        }
    }

    /// Answers starts until cancelled: each phone registers the activity that a push started.
    ///
    /// - Throws: `PhoneError` of the first phone that the server refused.
    public func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            var underWay = 0
            for await number in woken {
                if underWay >= SimulatorLimits.fleetCalls { try await group.next() } else { underWay += 1 }
                let phone = phones[number]
                group.addTask { try await phone.registerActivity() }
            }
            try await group.waitForAll()
        }
    }

    /// The state of the Lock Screens, compared with a revision.
    public func report(newest revision: Int64) -> PhoneFleetReport {
        var report = PhoneFleetReport(phones: phones.count)
        for phone in phones {
            let screen = phone.screen
            if screen.revision == revision { report.atNewest += 1 }
            if screen.isEnded { report.ended += 1 }
            report.wentBack += screen.wentBack
            report.undecodable += screen.undecodable
        }
        return report
    }
}
