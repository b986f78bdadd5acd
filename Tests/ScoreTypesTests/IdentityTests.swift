import ScoreTypes
import Testing

@Suite struct IdentityTests {
    @Test func idsRefuseCharactersUnsafeInPathsAndLogs() {
        #expect(MatchID("1485939") != nil)
        #expect(MatchID("a.b_c-D") != nil)
        for bad in ["", "a/b", "a b", "ü", "a\n", String(repeating: "x", count: 65)] { #expect(MatchID(bad) == nil) }
    }

    @Test func revisionsRoundTrip() throws {
        let epoch = try #require(Epoch("Ab3dEf9h"))
        let revision = Revision(epoch: epoch, number: 412)
        #expect(revision.description == "Ab3dEf9h.412")
        #expect(Revision("Ab3dEf9h.412") == revision)
        for bad in ["Ab3dEf9h", "Ab3dEf9h.", "Ab3dEf9.1", "Ab3dEf9h.-1", "Ab3dEf9h.1.2", "Ab3dEf9h.1234567890123"] {
            #expect(Revision(bad) == nil, "\(bad)")
        }
    }

    @Test func deviceIDsRoundTrip() throws {
        var generator = SystemRandomNumberGenerator()
        let device = DeviceID(using: &generator)
        #expect(DeviceID(device.description) == device)
        #expect(DeviceID(bytes: device.bytes) == device)
        #expect(DeviceID("00000000-0000-4000-8000-00000000000g") == nil)
        #expect(DeviceID("0000000000000-4000-8000-000000000000") == nil)
    }

    @Test func bucketsAreEvenAndFixed() throws {
        // Fixed for ever: stored rows contain these numbers.
        let known = try #require(DeviceID("00000000-0000-4000-8000-000000000001"))
        #expect(Bucket(of: known).number == 670)
        var counts = [Int](repeating: 0, count: Bucket.count)
        for index in 0..<102_400 { counts[Int(Bucket(of: DeviceID(high: 7, low: UInt64(index))).number)] += 1 }
        #expect(counts.allSatisfy { (50...160).contains($0) })
    }
}

@Suite struct PushTokenTests {
    @Test func tokensAreNeverPrinted() throws {
        let token = try #require(PushToken(hex: "deadbeef"))
        #expect("\(token)" == "‹token›")
        #expect(String(reflecting: token) == "‹token›")
        #expect(token.hexForPath == "deadbeef")
        #expect(PushToken(hex: "deadbee") == nil)
        #expect(PushToken(hex: "") == nil)
        #expect(PushToken(bytes: [UInt8](repeating: 0, count: 257)) == nil)
    }
}
