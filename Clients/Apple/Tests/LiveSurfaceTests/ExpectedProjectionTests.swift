// Every published fixture projects to what was worked out independently from the rules, byte counts included.

import Foundation
import LiveSurface
import Testing

@Suite(.enabled(if: ConformanceData.isPresent, ConformanceData.absence)) struct ExpectedProjectionTests {
    static let vectors: [String] = ConformanceData.names(in: "surface-fixtures")

    private static func vector(_ name: String) throws -> [String: Any] {
        let all = try ConformanceData.object("derived/expected_projections.json")
        let vectors = try #require(all["vectors"] as? [[String: Any]])
        return try #require(vectors.first { $0["fixture"] as? String == name })
    }

    private static func projection(_ snapshot: SurfaceSnapshot) throws -> [String: Any] {
        switch snapshot.kind {
        case .liveActivity: try Wire.object(snapshot.contentState())
        case .widget: try Wire.object(snapshot.widgetEntry())
        case .control: try Wire.object(snapshot.controlValue())
        case .lockAccessory: try Wire.object(snapshot.lockAccessoryEntry())
        case .standby: try Wire.object(snapshot.standbyEntry())
        case .notification: try Wire.object(snapshot.notificationPayload())
        }
    }

    @Test(arguments: vectors) func theProjectionIsAsExpected(name: String) throws {
        let snapshot = try Wire.snapshot(ConformanceData.object("surface-fixtures/" + name))
        let vector = try Self.vector(name)
        let expected = try #require(vector["projection"] as? [String: Any])
        let projection = try Self.projection(snapshot)
        #expect(Wire.equal(projection, expected), "\(projection) is not \(expected)")
    }

    @Test(arguments: vectors) func theAlertFallbackIsAsExpected(name: String) throws {
        let snapshot = try Wire.snapshot(ConformanceData.object("surface-fixtures/" + name))
        let vector = try Self.vector(name)
        guard let expected = vector["alertPayload"] as? [String: Any] else {
            #expect(Wire.fault { _ = try snapshot.alertFallback() }?.problem == .wrongKind)
            return
        }
        let fallback = try snapshot.alertFallback()
        #expect(Wire.equal(try Wire.object(fallback), expected))
        #expect(try Wire.bytes(fallback).count == vector["alertPayloadBytes"] as? Int)
    }

    private struct Update: Encodable {
        struct Aps: Encodable {
            enum CodingKeys: String, CodingKey { case timestamp, event, contentState = "content-state" }
            let timestamp: Int
            let event: String
            let contentState: MobileSurfacesActivityAttributes.ContentState
        }
        let aps: Aps
    }

    @Test(arguments: vectors) func anUpdateHasTheExpectedBytes(name: String) throws {
        let vector = try Self.vector(name)
        guard let expected = vector["updatePayloadAtFixedTimestamp"] as? [String: Any] else { return }
        let snapshot = try Wire.snapshot(ConformanceData.object("surface-fixtures/" + name))
        let aps = Update.Aps(timestamp: 1_780_000_000, event: "update", contentState: try snapshot.contentState())
        #expect(Wire.equal(try Wire.object(Update(aps: aps)), expected))
        #expect(try Wire.bytes(Update(aps: aps)).count == vector["updatePayloadAtFixedTimestampBytes"] as? Int)
    }
}
