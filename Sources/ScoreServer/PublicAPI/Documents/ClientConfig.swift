// The app's remote settings: streaming, polling interval, age of stale states, oldest supported build.

import MatchEngine
import ScoreTypes

/// The body of `GET /v1/client-config`.
struct ClientConfig: Sendable, Hashable {
    var isStreamEnabled = true
    var pollMilliseconds = 2_000
    var staleAfterSeconds = 1_800
    var oldestBuild = 0
    var schemaVersions = ContentStateVersion.allCases.map(\.rawValue)
    var isPushToStartEnabled = true
    var activitiesMax = 5
    /// Scheme of links into the app.
    var deepLinkScheme = "score"

    /// The JSON.
    var bytes: [UInt8] {
        JSONWriter.document { json in
            json.field("sseEnabled", isStreamEnabled)
            json.field("pollMs", pollMilliseconds)
            json.field("staleAfterSeconds", staleAfterSeconds)
            json.field("minBuild", oldestBuild)
            json.key("contentSchemaVersions")
            json.array { json in for version in schemaVersions { json.integer(version) } }
            json.field("pushToStartEnabled", isPushToStartEnabled)
            json.field("maxActivities", activitiesMax)
            json.field("deepLinkScheme", deepLinkScheme)
        }
    }
}
