// Operators control the dispatcher and the signing key of this node.

import PushDispatcher
import ScoreTypes
import Synchronization

/// The way to APNs on this node.
final class PushOperations: PushControl {
    let history: AttemptHistory
    private let dispatcher: Dispatcher?
    private let keyWatch: SigningKeyWatch?
    private let clock: ServiceClock
    private let reports = Mutex<[PushEnvironment: ProbeReport]>([:])

    /// - Parameters:
    ///   - dispatcher: nil on a node without a signing key.
    ///   - keyWatch: nil on a node without a signing key.
    ///   - history: The sampled pushes.
    ///   - clock: The time of probes.
    init(_ dispatcher: Dispatcher?, keyWatch: SigningKeyWatch?, history: AttemptHistory, clock: ServiceClock) {
        (self.dispatcher, self.keyWatch, self.history, self.clock) = (dispatcher, keyWatch, history, clock)
    }

    func status() async -> DispatcherStatus? { await dispatcher?.status() }

    func resetBreaker(_ environment: PushEnvironment) async -> Bool {
        await dispatcher?.resetBreaker(environment) ?? false
    }

    func probe(_ environment: PushEnvironment) async -> ProbeReport? {
        guard let finding = await dispatcher?.probe(environment) else { return nil }
        let report = ProbeReport(at: clock.wall, finding: finding)
        reports.withLock { $0[environment] = report }
        return report
    }

    func probes() -> [PushEnvironment: ProbeReport] { reports.withLock { $0 } }

    func reloadKey() async throws(SigningError) -> KeyReload? {
        guard let keyWatch else { return nil }
        return try await keyWatch.reload()
    }
}
