// A node without a signing key refuses an order that needs pushes, and carries out the others.

import MatchSamples
import Postgres
import ScoreTypes
import Testing

@testable import ScoreServer

@Suite(.timeLimit(.minutes(2))) struct KeylessNodeTests {
    @Test func theEndOfAllActivitiesIsRefused() async throws {
        let setup = try await NodeSetup()
        let admin = try await PostgresAdminStore(pool: setup.pool).headers(.admin)
        try await FeedNode.report(Samples.deliveries(3), on: setup)
        try await setup.withWholeNode(["APNS_KEY_FILE": ""]) { node in
            let phone = try await PushedPhone(at: node, on: setup)
            let (client, path) = (node.internalClient, "/admin/api/v1/matches/ipl-final/")
            let order = #"{"reason":"the match is over","confirm":"ipl-final"}"#
            for query in ["", "?dryRun=true"] {
                let answer = try await client.send("POST", path + "end-activities" + query, admin, json: order)
                #expect(answer.status == 409 && answer.problem == "conflict", "\(answer.text)")
                #expect(answer.json["detail"]?.string?.contains("no signing key") == true, "\(answer.text)")
            }
            let view = try await node.device(phone.id, as: admin)
            #expect(view["activities"]?.list.map { $0["state"]?.string } == ["active"])
            // The node that polls sends the state again, whichever node receives the order.
            let reason = #"{"reason":"an old state"}"#
            let dry = try await client.send("POST", path + "republish?dryRun=true", admin, json: reason)
            #expect(dry.json["result"]?["wouldAffect"]?.int == 1, "\(dry.text)")
        }
        await setup.stop()
    }
}
