// The edges where readers of the contract differ, and on which side this one stands.

import Foundation
import LiveSurface
import Testing

@Suite(.enabled(if: ConformanceData.isPresent, ConformanceData.absence)) struct EdgeCaseTests {
    static let count = 22

    /// Whether the edge is accepted here; upstream's parser decides, but seconds are required as RFC 3339 has it.
    private static func isAccepted(_ edge: [String: Any]) throws -> Bool {
        let field = try #require(edge["field"] as? String)
        if field == "updatedAt" && edge["value"] as? String == "2026-05-12T18:30Z" { return false }
        return try #require(edge["zodAccepts"] as? Bool)
    }

    private static func snapshot(_ edge: [String: Any]) throws -> [String: Any] {
        let field = try #require(edge["field"] as? String)
        let value = try #require(edge["value"])
        switch field {
        case "updatedAt": return Samples.activity.with(field, value)
        case "deepLink", "morePartsCount", "contextLabel": return Samples.activity.with("liveActivity", field, value)
        case "shortText": return Samples.accessory.with("lockAccessory", field, value)
        case "standby.presentation": return Samples.standby.with("standby", "presentation", nil)
        default: return Samples.activity.with(field, value)
        }
    }

    @Test(arguments: 0..<count) func anEdgeCaseIsAcceptedOrRefused(index: Int) throws {
        let edges = try ConformanceData.list("derived/edge_cases.json")
        #expect(edges.count == Self.count)
        let edge = edges[index]
        let fault = Wire.fault { _ = try Wire.snapshot(Self.snapshot(edge)) }
        #expect((fault == nil) == (try Self.isAccepted(edge)), "\(edge): \(String(describing: fault))")
    }
}
