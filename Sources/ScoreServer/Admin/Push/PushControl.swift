// The admin routes read and control the way to APNs through this protocol.

import PushDispatcher
import ScoreTypes

/// The result of an order to read the signing key again.
enum KeyReload: Sendable, Hashable {
    /// The file has another key, which signs from now on; its id.
    case replaced(String)
    /// The key in use is the one behind the file's path.
    case unchanged
}

/// The last probe of an environment.
struct ProbeReport: Sendable, Hashable {
    let at: Instant
    let finding: KeyProbe.Finding
}

/// Reads and controls the way to APNs on this node.
protocol PushControl: Sendable {
    /// The sampled pushes.
    var history: AttemptHistory { get }
    /// The dispatcher's state; nil on a node without a signing key.
    func status() async -> DispatcherStatus?
    /// False for an environment that the node does not serve.
    func resetBreaker(_ environment: PushEnvironment) async -> Bool
    /// nil for an environment that the node does not serve.
    func probe(_ environment: PushEnvironment) async -> ProbeReport?
    /// The last probes since the start of the node.
    func probes() -> [PushEnvironment: ProbeReport]
    /// nil on a node without a signing key.
    ///
    /// - Throws: `SigningError` when the file cannot be used; the key in use stays.
    func reloadKey() async throws(SigningError) -> KeyReload?
}
