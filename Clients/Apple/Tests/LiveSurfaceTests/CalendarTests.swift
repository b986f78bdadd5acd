// The calendar of `updatedAt` to the day, the byte and the zone; the contract's pattern knows leap years too.

import Foundation
import LiveSurface
import Testing

@Suite struct CalendarTests {
    private func isTime(_ text: String) -> Bool { (try? SurfaceTime(text)) != nil }

    private func day(_ year: Int, _ month: Int, _ day: Int) -> String {
        String(format: "%04ld-%02ld-%02ldT12:00:00Z", year, month, day)
    }

    /// The last day of each month is a day, the one after it is none.
    @Test(arguments: [
        (2026, [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]),
        (2028, [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]),
    ])
    func aMonthHasItsDays(year: Int, lengths: [Int]) {
        for (index, length) in lengths.enumerated() {
            #expect(isTime(day(year, index + 1, 1)) && isTime(day(year, index + 1, length)))
            #expect(!isTime(day(year, index + 1, length + 1)) && !isTime(day(year, index + 1, 0)))
        }
        #expect(!isTime(day(year, 0, 1)) && !isTime(day(year, 13, 1)))
    }

    @Test(arguments: [
        (1600, true), (1700, false), (1800, false), (1900, false), (2000, true), (2100, false), (2400, true),
        (2024, true), (2025, false), (2026, false), (2027, false), (0, true), (4, true), (100, false), (9996, true),
    ])
    func leapYearsAreKnown(year: Int, leaps: Bool) { #expect(isTime(day(year, 2, 29)) == leaps) }

    /// Seconds that are known from elsewhere, before and after 1970 and at both ends.
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59Z", -1), ("1970-01-01T00:01:00Z", 60),
        ("2000-03-01T00:00:00Z", 951_868_800), ("2000-02-29T00:00:00Z", 951_782_400),
        ("2001-09-09T01:46:40Z", 1_000_000_000), ("1900-03-01T00:00:00Z", -2_203_891_200),
        ("2038-01-19T03:14:08Z", 2_147_483_648), ("0000-01-01T00:00:00Z", -62_167_219_200),
        ("9999-12-31T23:59:59Z", 253_402_300_799), ("2026-01-01T00:30:00+01:00", 1_767_223_800),
        ("2025-12-31T22:30:00-01:00", 1_767_223_800), ("1970-01-01T05:30:00+05:30", 0),
        ("1969-12-31T20:15:00-03:45", 0),
    ])
    func aTimeHasItsSeconds(text: String, seconds: Int64) throws {
        let time = try SurfaceTime(text)
        #expect(time.secondsSince1970 == seconds && time.description == text)
        let written = SurfaceTime(secondsSince1970: seconds)
        #expect(written == time && written.description.hasSuffix("Z"))
    }

    /// A year outside four digits becomes the nearer limit.
    @Test func writtenTimesEndWithTheYears() {
        for (seconds, text) in [
            (-62_167_219_199, "0000-01-01T00:00:01Z"), (-62_167_219_201, "0000-01-01T00:00:00Z"),
            (253_402_300_798, "9999-12-31T23:59:58Z"), (253_402_300_800, "9999-12-31T23:59:59Z"),
        ] as [(Int64, String)] { #expect(SurfaceTime(secondsSince1970: seconds).description == text) }
    }

    /// Every byte has its place: another one there, or none, and it is no time.
    @Test func everyByteIsNeeded() {
        let whole = "2026-11-21T09:30:00+05:30"
        #expect(isTime(whole))
        for index in whole.indices {
            let next = whole.index(after: index)
            for other in ["x", "", " ", "/", "٣"] {
                #expect(!isTime("\(whole[..<index])\(other)\(whole[next...])"), "\(other)")
            }
            #expect(!isTime(String(whole[..<index])))
            #expect(!isTime("\(whole[..<index])0\(whole[index...])"), "a digit more")
        }
    }

    @Test(arguments: [
        ("+00:00", true), ("-00:00", true), ("+23:59", true), ("-23:59", true), ("+24:00", false), ("+05:60", false),
        ("+5:30", false), ("+05", false), ("+0530", false), ("Z+00:00", false), ("", false), ("UTC", false),
        (".5Z", true), (".000000000000000000001Z", true), (".Z", false), (",5Z", false), (".5", false),
        (".5.5Z", false),
    ])
    func aZoneIsRequired(tail: String, isAllowed: Bool) {
        #expect(isTime("2026-11-21T09:30:00" + tail) == isAllowed)
    }

    @Test func fractionsAreOrderedByTheirValue() throws {
        let tails = ["", ".000000000001", ".09", ".1", ".10001", ".9", ".99"]
        let times = try tails.map { try SurfaceTime("2026-11-21T09:30:00\($0)Z") }
        #expect(times.sorted() == times && times.shuffled().sorted() == times)
        for (index, time) in times.enumerated() {
            #expect(times.firstIndex(of: time) == index, "no two are equal")
            #expect(try time < SurfaceTime("2026-11-21T09:30:01Z"))
        }
    }

    /// One instant is one value, however it is written; so a set of revisions cannot hold it twice.
    @Test func oneInstantIsOneValue() throws {
        let texts = [
            "2026-11-21T09:30:00Z", "2026-11-21T09:30:00.0Z", "2026-11-21T09:30:00.000000Z",
            "2026-11-21T15:00:00+05:30", "2026-11-20T23:30:00-10:00", "2026-11-22T09:29:00+23:59",
        ]
        let times = try texts.map { try SurfaceTime($0) }
        #expect(Set(times).count == 1)
        #expect(times.map(\.description) == texts, "but each is written as it was given")
        #expect(try Set(times + [SurfaceTime("2026-11-21T09:30:00.5Z")]).count == 2)
        #expect(try Set([SurfaceTime("2026-11-21T09:30:00.50Z"), SurfaceTime("2026-11-21T09:30:00.5Z")]).count == 1)
    }

    @Test func aSnapshotKeepsTheTextOfItsTime() throws {
        for text in ["2026-11-21T15:00:00.250+05:30", "2026-11-21T09:30:00-00:00"] {
            let object = Samples.widget.with("updatedAt", text)
            #expect(try Wire.object(Wire.snapshot(object))["updatedAt"] as? String == text)
        }
        let fault = Wire.fault { _ = try Wire.snapshot(Samples.widget.with("updatedAt", "2026-11-21")) }
        #expect(
            fault?.description == "updatedAt has a value that is not allowed; "
                + "expected an RFC 3339 time with seconds and zone, such as 2026-05-12T18:30:00Z"
        )
    }
}
