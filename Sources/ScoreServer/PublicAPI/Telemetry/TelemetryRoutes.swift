// APNs' acceptance says nothing about the screen, so apps report what their activities show.

import FollowService
import HTTPTypes
import Hummingbird
import LiveActivities
import ScoreTypes

/// `/v1/devices/me/telemetry`.
struct TelemetryRoutes: Sendable {
    let dependencies: PublicDependencies
    let clock: ServiceClock
    private let events = ClientEventCounter()

    init(dependencies: PublicDependencies, clock: ServiceClock) {
        self.dependencies = dependencies
        self.clock = clock
    }

    /// Adds the route.
    func add(to router: PublicRouter) {
        router.add(.post, "/v1/devices/me/telemetry", .device, .telemetry) { try await take($0) }
    }

    private func take(_ call: Call) async throws -> Response {
        let body = try TelemetryBody(reading: try await call.json(max: ServerLimits.listBodyBytes))
        let (device, now) = (try call.owner(), clock.wall)
        let newest = body.shown.reduce(into: [ActivityID: TelemetryBody.Shown]()) { newest, shown in
            if let known = newest[shown.activity], known.revision > shown.revision { return }
            newest[shown.activity] = shown
        }
        // Receipts of activities that ended, or that were never registered, are answered alike and have no effect.
        let activities = try await dependencies.activities.shown(newest.mapValues(\.revision), by: device)
        dependencies.receipts.take(
            activities.map { activity in
                let age = newest[activity.activityID]?.age ?? .zero
                return Receipt(device: device, activity: activity, observedAt: now + (.zero - age))
            }
        )
        events.count(body.occurrences, of: device)
        return Answer.empty()
    }
}
