// Times by the strict letter of RFC 3339, against Foundation's calendar.

import Foundation
import LiveSurface
import Testing

@Suite struct TimeTests {
    @Test(arguments: [
        "2026-05-12T18:30:00Z", "2024-02-29T00:00:00Z", "2000-02-29T23:59:59Z", "2026-05-12T18:30:00+05:30",
        "2026-05-12T18:30:00.123456789Z", "0000-01-01T00:00:00-23:59", "9999-12-31T23:59:59Z",
    ]) func aTimeIsAccepted(text: String) throws { #expect(try SurfaceTime(text).description == text) }

    @Test(arguments: [
        "", "2026-05-12", "2026-05-12T18:30Z", "2026-05-12T18:30:00", "2026-05-12T18:30:00z", "2026-05-12t18:30:00Z",
        "2026-05-12 18:30:00Z", "2026-05-12T18:30:60Z", "2026-05-12T24:00:00Z", "2026-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
        "2026-05-12T18:30:00+0530", "2026-05-12T18:30:00+24:00", "2026-05-12T18:30:00.Z", "2026-05-12T18:30:00ZZ",
        "+2026-05-12T18:30:00Z", "26-05-12T18:30:00Z", "2026-5-12T18:30:00Z", "１026-05-12T18:30:00Z",
    ]) func aTimeIsRefused(text: String) {
        #expect(Wire.fault { _ = try SurfaceTime(text) }?.problem == .wrongValue)
    }

    @Test func instantsAreComparedAcrossZones() throws {
        let zulu = try SurfaceTime("2026-05-12T18:30:00Z")
        #expect(try zulu == SurfaceTime("2026-05-13T00:00:00.000+05:30"))
        #expect(try zulu < SurfaceTime("2026-05-12T18:30:00.001Z"))
        #expect(try SurfaceTime("2026-05-12T18:30:00.09Z") < SurfaceTime("2026-05-12T18:30:00.1Z"))
        #expect(try SurfaceTime("2026-05-12T18:29:59-00:01") > zulu)
    }

    @Test func writtenTimesAgreeWithFoundation() throws {
        let formatter = ISO8601DateFormatter()
        var seed: UInt64 = 20_261_121
        for _ in 0..<2_000 {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // Between the years 1600 and 2600, where Foundation's calendar is Gregorian too.
            let seconds = Int64(seed >> 16) % 31_556_952_000 - 11_676_096_000
            let time = SurfaceTime(secondsSince1970: seconds)
            #expect(time.description == formatter.string(from: Date(timeIntervalSince1970: Double(seconds))))
            #expect(try SurfaceTime(time.description).secondsSince1970 == seconds)
        }
        #expect(SurfaceTime(secondsSince1970: .max).description == "9999-12-31T23:59:59Z")
        #expect(SurfaceTime(secondsSince1970: .min).description == "0000-01-01T00:00:00Z")
    }
}
