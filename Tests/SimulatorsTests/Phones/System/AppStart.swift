// Starts of activities by the app, for tests of the simulated system.

import Foundation
import LiveSurface
import ScoreClient

@testable import Simulators

enum AppStart {
    static func state(_ rev: Int64, progress: Double? = nil) throws -> LiveActivityAttributes.ContentState {
        let json = Data(PushBody.content(rev, progress: progress).utf8)
        return try JSONDecoder().decode(LiveActivityAttributes.ContentState.self, from: json)
    }

    static func sample(match: String = "m1", rev: Int64 = 1) throws -> ActivityStart {
        let json = Data(PushBody.attributes(match).utf8)
        let attributes = try JSONDecoder().decode(LiveActivityAttributes.self, from: json)
        return ActivityStart(attributes: attributes, state: try state(rev), staleAt: .max)
    }
}

extension PhoneStateRig {
    mutating func start(_ start: ActivityStart) -> Result<ObservedActivity, ActivityStartError> {
        var result = Result<ObservedActivity, ActivityStartError>.failure(.unsupported)
        run { state, now in
            let started = state.start(start, at: now)
            result = started.result
            return started.effects
        }
        return result
    }
}

extension Result {
    /// The error; nil for a success.
    var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}
