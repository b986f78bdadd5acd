// Many phones that follow one match, each with the client library of apps.

public import ScoreTypes

/// The reason for which a fleet cannot begin.
public enum PhoneError: Error, CustomStringConvertible {
    /// The server has not confirmed the follow of a phone in time.
    case notEnrolled(phone: Int)

    /// One sentence with the next step.
    public var description: String {
        switch self {
        case .notEnrolled(let phone):
            """
            Phone \(phone) could not follow the match within \(SimulatorLimits.enrolment); run with --keep and read \
            serve.log.
            """
        }
    }
}

/// The composition of a fleet.
public struct PhoneFleetPlan: Sendable {
    /// Phones.
    public var count: Int
    /// The part of them, 0 to 1, that has iOS 18 or 26 and its activity on a broadcast channel.
    public var channelShare: Double
    /// The part of them, 0 to 1, that has each fault.
    public var faultShare: Double
    /// The part of them, 0 to 1, whose persons keep the app open.
    public var openShare: Double
    /// Draws tokens, ids, faults and open apps.
    public var seed: UInt64

    /// Describes a fleet.
    public init(count: Int, channelShare: Double, faultShare: Double = 0, openShare: Double = 0, seed: UInt64) {
        (self.count, self.channelShare, self.faultShare) = (count, channelShare, faultShare)
        (self.openShare, self.seed) = (openShare, seed)
    }

    /// Whether the person of a phone keeps the app open.
    func keepsAppOpen(_ phone: Int) -> Bool {
        var generator = SplitMix64(seed: ~SimulatedPhone.seed(of: phone, from: seed))
        return generator.unit() < openShare
    }

    /// The iOS of a phone: of those with channels each fifth has iOS 26, of the others each fourth iOS 16.
    func release(of phone: Int) -> IOSRelease {
        let onChannel = Int((Double(count) * min(max(channelShare, 0), 1)).rounded())
        if phone < onChannel { return phone % 5 == 4 ? .ios26 : .ios18 }
        return (phone - onChannel) % 4 == 3 ? .ios16 : .ios17
    }

    /// Whether the app of a phone knows the newest layout of the content state; each tenth app is one version older.
    func hasNewestApp(_ phone: Int) -> Bool { phone % 10 != 7 }
}

/// Runs the phones.
public final class PhoneFleet: Sendable {
    private let phones: [SimulatedPhone]
    private let environment: PhoneEnvironment

    /// Makes phones of `APNsTestAccount`'s app that follow a match; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - plan: The composition.
    ///   - match: The match.
    ///   - server: The server, as phones reach it.
    ///   - network: The APNs that delivers to the phones.
    ///   - clock: The clock of the run.
    public init(
        _ plan: PhoneFleetPlan,
        match: MatchID,
        server: PhoneServer,
        network: APNsSimulator,
        clock: ServiceClock
    ) {
        let environment = PhoneEnvironment(network: network, clock: clock)
        let setting = FleetSetting(match: match, server: server, environment: environment)
        let faults = FleetFaults(share: plan.faultShare, of: plan.count, seed: plan.seed)
        phones = (0..<plan.count).map { number in
            SimulatedPhone(
                number: number,
                release: plan.release(of: number),
                isNewestApp: plan.hasNewestApp(number),
                keepsAppOpen: plan.keepsAppOpen(number),
                faults: faults[number],
                seed: plan.seed,
                setting: setting
            )
        }
        self.environment = environment
    }

    /// Runs the apps of all phones until cancelled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            for phone in phones { group.addTask { await phone.run() } }
            group.addTask { [environment] in await environment.schedule.run() }
        }
    }

    /// Lets all phones register and follow the match; `run` has to run.
    ///
    /// - Throws: `PhoneError` of the first phone that did not succeed.
    public func enroll() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, phone) in phones.enumerated() {
                if index >= SimulatorLimits.enrollingPhones { try await group.next() }
                group.addTask { try await phone.enroll() }
            }
            try await group.waitForAll()
        }
    }

    /// Lets the persons whose phones no push can start an activity on start it in the app.
    public func beginMatch() { for phone in phones { phone.beginMatch() } }

    /// Lets all persons open the app, as after the end of a match, one after the other.
    ///
    /// - Throws: `CancellationError` when cancelled.
    public func openApps() async throws {
        for (index, phone) in phones.enumerated() {
            if index > 0, index.isMultiple(of: SimulatorLimits.openingsAtOnce) {
                try await Task.sleep(for: SimulatorLimits.openingPause)
            }
            phone.openAppAfterMatch()
        }
    }

    /// The state of the Lock Screens, compared with a revision.
    public func report(newest revision: Int64) -> PhoneFleetReport {
        phones.reduce(into: PhoneFleetReport()) { $0 += $1.report(newest: revision) }
    }

    /// The times from publications, in order, to their confirmation by the phones.
    public func confirmationTimes(of publications: [PublishedRevision]) -> ConfirmationTimes {
        phones.reduce(into: ConfirmationTimes()) { $0 += $1.confirmationTimes(of: publications) }
    }

    /// The reachable phones that do not show or have not confirmed a revision, and those that alerted twice, showed two
    /// cards or went back; one line each with the last events, at most `SimulatorLimits.listedPhones`.
    public func phonesWithFaults(newest revision: Int64) -> [String] {
        // Not lazily: phones change meanwhile, and a lazy filter reads each twice.
        let faulty = phones.filter { phone in
            let report = phone.report(newest: revision)
            return report.reachable > report.reachableAtNewest || report.unconfirmed > 0 || report.alertsTwice > 0
                || report.cardsTwice > 0 || report.wentBack > 0
        }
        return faulty.prefix(SimulatorLimits.listedPhones).map(\.summary)
    }

    /// The reachable phones whose receipt of the newest of some publications came late or never, a line each.
    public func latePhones(of publications: [PublishedRevision]) -> [String] {
        let late = phones.filter { $0.confirmationTimes(of: publications).lateAtEnd > 0 }
        return late.prefix(SimulatorLimits.listedPhones).map(\.summary)
    }
}
