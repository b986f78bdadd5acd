// Apps count what the server cannot see; a batch that arrives twice is counted once.

import Metrics
import ScoreTypes
import Synchronization

/// Occurrences that apps count, by their names in metrics.
enum ClientEventKind: String, Sendable, CaseIterable {
    /// A new push token in the place of another one.
    case tokenRotated
    /// Content that the app cannot decode.
    case undecodable
    /// A state of ActivityKit that this server does not know.
    case unknownState
    /// A kind of event that this server does not know.
    case other

    /// Adds to the metric of this kind.
    func count(_ number: Int64 = 1) {
        Counter(label: "score_client_events_total", dimensions: [("kind", rawValue)]).increment(by: number)
    }
}

/// Counts the events of apps, each once as long as its device is in memory.
final class ClientEventCounter: Sendable {
    private struct Key: Hashable {
        let device: DeviceID
        let kind: ClientEventKind
    }

    /// The phone's time of the newest occurrence that was counted.
    private let newest = Mutex(GenerationCache<Key, Int64>(capacity: ServerLimits.telemetryDevices))

    /// Counts the occurrences that are newer than those counted before; returns their number.
    @discardableResult
    func count(_ occurrences: [TelemetryBody.Occurrence], of device: DeviceID) -> Int64 {
        occurrences.reduce(0) { sum, occurrence in
            let key = Key(device: device, kind: occurrence.kind)
            let isNew = newest.withLock { newest in
                guard occurrence.at > newest[key] ?? .min else { return false }
                newest[key] = occurrence.at
                return true
            }
            guard isNew else { return sum }
            occurrence.kind.count(occurrence.count)
            return sum + occurrence.count
        }
    }
}
