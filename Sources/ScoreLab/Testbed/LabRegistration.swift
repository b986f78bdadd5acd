// Benchmarks and soaks register devices as an app does.

import CurlTransfer
import Foundation
import ScoreTypes
import Simulators

/// The registration of a new device.
enum LabRegistration {
    /// The request to a server.
    static func transfer(to server: ServeProcess) -> Transfer {
        let body = JSONWriter.document { json in
            json.field("platform", "ios")
            json.field("bundleId", APNsTestAccount.bundleID)
            json.field("appBuild", "1")
            json.field("osVersion", "18.2")
            json.field("apnsEnvironment", "sandbox")
            json.array("contentSchemaVersions", [1])
            json.field("frequentPushesEnabled", true)
            json.field("channelsSupported", true)
        }
        return Transfer(
            method: "POST",
            url: "http://\(Testbed.host):\(server.publicPort)/v1/devices",
            headers: [("Content-Type", "application/json"), ("Idempotency-Key", UUID().uuidString)],
            body: body,
            security: .local([Testbed.host])
        )
    }
}
