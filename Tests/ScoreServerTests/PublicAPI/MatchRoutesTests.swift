// The routes of matches over the wire.

import Foundation
import LiveSurface
import MatchEngine
import MatchSamples
import Providers
import ScoreTypes
import Synchronization
import Testing

@testable import MatchJournal
@testable import ScoreServer

@Suite struct MatchRoutesTests {
    @Test func aSnapshotContainsScorecardDisplayAndProvenance() async throws {
        let view = try Samples.view(7)
        try await withServer { server in
            server.publish(view)
            let answer = try await server.publicClient.get("/v1/matches/ipl-final")
            #expect(answer.status == 200)
            #expect(answer["ETag"] == "\"Abcd1234.7\"")
            #expect(answer["Cache-Control"]?.contains("s-maxage=1") == true)
            #expect(answer["Surrogate-Key"] == "match/ipl-final")
            #expect(answer.json["rev"]?.int == 7)
            #expect(answer.json["innings"]?.list.first?["runs"]?.int == 7)
            #expect(answer.json["bowler"]?["name"]?.string == "Deepak Chahar")
            #expect(answer.json["batters"]?.list.count == 2)
            #expect(answer.json["display"]?.bytes == view.publication.contentState)
            #expect(answer.json["provenance"]?["lagMs"]?.int == 40)
            #expect(answer.json["nextPollMs"]?.int == 2_000)
        }
    }

    @Test("F16: a match that its provider removed returns 410 on all its routes until it is listed again")
    func aRemovedMatchReturns410() async throws {
        let view = try Samples.view(7)
        try await withServer { server in
            server.publish(view)
            server.stubs.matches.mark(view.match, removedAt: Instant(milliseconds: 1_772_380_000_000))
            for path in ["", "/surfaces/widget", "/stream"] {
                let answer = try await server.publicClient.get("/v1/matches/ipl-final\(path)")
                #expect(answer.status == 410, "\(path)")
                #expect(answer.json["type"]?.string?.hasSuffix("match-removed") == true, "\(path)")
            }
            server.stubs.matches.mark(view.match, removedAt: nil)
            server.publish(try Samples.view(8))
            #expect(try await server.publicClient.get("/v1/matches/ipl-final").status == 200)
        }
    }

    @Test(arguments: SurfaceSnapshot.Kind.allCases)
    func everySurfaceReturnsItsSnapshot(kind: SurfaceSnapshot.Kind) async throws {
        try await withServer { server in
            server.publish(try Samples.view(7))
            let path = "/v1/matches/ipl-final/surfaces/\(kind.rawValue)"
            let answer = try await server.publicClient.get(path)
            #expect(answer.status == 200)
            #expect(answer["ETag"] == "\"Abcd1234.7.\(kind.rawValue)\"")
            let snapshot = try JSONDecoder().decode(SurfaceSnapshot.self, from: Data(answer.body))
            #expect(snapshot.kind == kind && snapshot.state == .active)
            #expect(snapshot.surfaceId == "match-ipl-final" && snapshot.id == "match-ipl-final@7")
            let known = try await server.publicClient.get(path, ["If-None-Match": answer["ETag"] ?? ""])
            #expect(known.status == 304)
            let quiet = try await server.publicClient.get("\(path)?quiet=true")
            let hushed = try JSONDecoder().decode(SurfaceSnapshot.self, from: Data(quiet.body))
            #expect(hushed.state == .badTiming)
        }
    }

    @Test(arguments: [
        SurfaceForm.widget(.systemSmall), .widget(.systemLarge), .lockAccessory(.accessoryCircular),
        .lockAccessory(.accessoryInline), .control(.toggle, isOn: true), .control(.button, isOn: nil),
        .standby(.monochrome),
    ])
    func everyFormOfASurfaceHasItsOwnAddress(form: SurfaceForm) async throws {
        try await withServer { server in
            server.publish(try Samples.view(7))
            let query = form.parameters.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
            let path = "/v1/matches/ipl-final/surfaces/\(form.kind.rawValue)"
            let answer = try await server.publicClient.get("\(path)?\(query)")
            #expect(answer.status == 200)
            let snapshot = try JSONDecoder().decode(SurfaceSnapshot.self, from: Data(answer.body))
            #expect(snapshot.kind == form.kind && snapshot.id == "match-ipl-final@7+\(form.variant ?? "")")
            switch (form, snapshot.slice) {
            case (.widget(let family), .widget(let slice)): #expect(slice.family == family)
            case (.lockAccessory(let family), .lockAccessory(let slice)): #expect(slice.family == family)
            case (.standby(let tint), .standby(let slice)): #expect(slice.tint == tint)
            case (.control(let action, let isOn), .control(let slice)):
                #expect(slice.controlKind == action && slice.state == isOn && slice.intent != nil)
            default: Issue.record("another slice than that of \(form)")
            }
            let plain = try await server.publicClient.get(path)
            #expect(plain["ETag"] != answer["ETag"])
        }
    }

    @Test(arguments: [
        "widget?family=accessoryInline", "lockAccessory?family=systemSmall", "standby?family=systemSmall",
        "standby?tint=red", "control?controlKind=toggle", "control?controlKind=toggle&state=perhaps",
        "control?controlKind=button&state=true", "control?state=true", "widget?tint=monochrome",
        "notification?controlKind=button",
    ])
    func aFormThatTheKindDoesNotHaveIsRefused(request: String) async throws {
        try await withServer { server in
            server.publish(try Samples.view(7))
            let answer = try await server.publicClient.get("/v1/matches/ipl-final/surfaces/\(request)")
            #expect(answer.status == 400)
        }
    }

    @Test func anUnknownSurfaceIsRefused() async throws {
        try await withServer { server in
            server.publish(try Samples.view(7))
            let client = server.publicClient
            let wrong = try await client.get("/v1/matches/ipl-final/surfaces/billboard")
            #expect(wrong.status == 400)
            #expect(String(decoding: wrong.body, as: UTF8.self).contains("lockAccessory"))
            #expect(try await client.get("/v1/matches/none/surfaces/widget").status == 404)
            #expect(try await client.get("/v1/matches/ipl-final/surfaces/widget?quiet=perhaps").status == 400)
        }
    }

    @Test func aKnownTagReturns304UntilTheNextRevision() async throws {
        let first = try Samples.view(7)
        let second = try Samples.view(8, balls: 8)
        try await withServer { server in
            server.publish(first)
            let tag = ["If-None-Match": "W/\"old\", \"Abcd1234.7\""]
            let known = try await server.publicClient.get("/v1/matches/ipl-final", tag)
            #expect(known.status == 304)
            #expect(known.body.isEmpty)
            #expect(known["ETag"] == "\"Abcd1234.7\"")
            #expect(known["Cache-Control"]?.contains("max-age=1") == true)
            server.publish(second)
            #expect(try await server.publicClient.get("/v1/matches/ipl-final", tag).status == 200)
            var news = second.news
            news.hold = MatchHold(reason: "wrong teams", since: Instant(milliseconds: 0))
            server.stubs.matches.put(MatchView(news))
            let held = try await server.publicClient.get("/v1/matches/ipl-final", ["If-None-Match": "\"Abcd1234.8\""])
            #expect(held.status == 200)
            #expect(held.json["provenance"]?["held"] == .bool(true))
        }
    }

    @Test func anOlderViewNeverReplacesANewerOne() async throws {
        let stubs = TestDependencies()
        #expect(stubs.matches.put(try Samples.view(8)))
        #expect(!stubs.matches.put(try Samples.view(7)))
        #expect(try await stubs.matches.view(of: Samples.match)?.revision.number == 8)
    }

    @Test func theListIsFilteredPagedAndConditional() async throws {
        let live = try Samples.view(7)
        let later = try Samples.view(2, balls: 0, status: .scheduled, match: MatchID(unchecked: "tomorrow"))
        let done = try Samples.view(9, status: .result, result: Samples.won, match: MatchID(unchecked: "yesterday"))
        var stubs = TestDependencies()
        stubs.clock = ServiceClock(monotonic: { .zero }) { done.publication.committedAt + .seconds(3600) }
        try await withServer(stubs) { server in
            for view in [done, later, live] { server.publish(view) }
            let all = try await server.publicClient.get("/v1/matches")
            #expect(all.json["items"]?.list.map { $0["id"]?.string } == ["ipl-final", "tomorrow", "yesterday"])
            #expect(all.json["items"]?.list.last?["result"]?["text"]?.string == "Mumbai Indians won by 12 runs")
            let tag = try #require(all["ETag"])
            #expect(try await server.publicClient.get("/v1/matches", ["If-None-Match": tag]).status == 304)
            let upcoming = try await server.publicClient.get("/v1/matches?status=upcoming")
            #expect(upcoming.json["items"]?.list.count == 1)
            let page = try await server.publicClient.get("/v1/matches?limit=2")
            let cursor = try #require(page.json["nextCursor"]?.string)
            let rest = try await server.publicClient.get("/v1/matches?limit=2&cursor=\(cursor)")
            #expect(rest.json["items"]?.list.map { $0["id"]?.string } == ["yesterday"])
            #expect(rest.json["nextCursor"] == nil)
            let bad = try await server.publicClient.get("/v1/matches?cursor=%21%21")
            #expect(bad.status == 400 && bad.problem == "invalid-request")
        }
    }

    @Test func finishedMatchesAreListedForAWeekAndReadableForLonger() async throws {
        let done = try Samples.view(9, status: .result, result: Samples.won)
        let age = Mutex(Duration.seconds(7 * 86_400))
        var stubs = TestDependencies()
        stubs.clock = ServiceClock(monotonic: { age.withLock { $0 } }) {
            done.publication.committedAt + age.withLock { $0 }
        }
        try await withServer(stubs) { server in
            server.publish(done)
            let path = "/v1/matches?status=finished"
            let young = try await server.publicClient.get(path)
            #expect(young.json["items"]?.list.count == 1)
            age.withLock { $0 += .milliseconds(1) }
            let old = try await server.publicClient.get(path)
            #expect(old.json["items"]?.list.isEmpty == true)
            let read = try await server.publicClient.get("/v1/matches/\(Samples.match)")
            #expect(read.status == 200)
        }
    }

    @Test func pagesContinueAtTheirPositionWhenAMatchMoves() async throws {
        let ids = ["a", "b", "c", "d"].map { MatchID(unchecked: $0) }
        try await withServer { server in
            for id in ids { server.publish(try Samples.view(7, match: id)) }
            func page(_ query: String) async throws -> (ids: [String?], next: String?) {
                let answer = try await server.publicClient.get("/v1/matches?status=live&limit=2\(query)")
                return (answer.json["items"]?.list.map { $0["id"]?.string } ?? [], answer.json["nextCursor"]?.string)
            }
            let first = try await page("")
            #expect(first.ids == ["a", "b"])
            // The last match of the page ends before the next page is read.
            server.publish(try Samples.view(9, status: .result, result: Samples.won, match: ids[1]))
            let second = try await page("&cursor=\(try #require(first.next))")
            #expect(second.ids == ["c", "d"] && second.next == nil, "no match twice, none left out")
        }
    }

    @Test func changesContinueFromAPositionOfTheSameEpoch() async throws {
        var stubs = TestDependencies()
        stubs.matches = MatchCache(
            load: { _ in nil },
            changes: { _, after, limit in
                (after + 1...7).prefix(limit).map { number in
                    JournalEntry(
                        revision: number,
                        at: Instant(milliseconds: 5),
                        change: .withdrawn(DeliveryKey("1.\(number)"))
                    )
                }
            }
        )
        let view = try Samples.view(7)
        try await withServer(stubs) { server in
            server.publish(view)
            let some = try await server.publicClient.get("/v1/matches/ipl-final/changes?after=Abcd1234.4&limit=2")
            #expect(some.json["items"]?.list.map { $0["rev"]?.int } == [5, 6])
            #expect(some["Cache-Control"] == "public, max-age=31536000, immutable")
            let first = try await server.publicClient.get("/v1/matches/ipl-final/changes?limit=2")
            #expect(first["Cache-Control"] == "public, max-age=1", "its address names no epoch")
            let head = try await server.publicClient.get("/v1/matches/ipl-final/changes?after=Abcd1234.5")
            #expect(head.json["items"]?.list.first?["kind"]?.string == "deletion")
            #expect(head["Cache-Control"] == "public, max-age=1")
            let gone = try await server.publicClient.get("/v1/matches/ipl-final/changes?after=Other999.4")
            #expect(gone.status == 410 && gone.problem == "revision-compacted")
            #expect(gone.json["snapshotUrl"]?.string == "/v1/matches/ipl-final")
            for position in ["Abcd1234.8", "Abcd1234.999999999999"] {
                let ahead = try await server.publicClient.get("/v1/matches/ipl-final/changes?after=\(position)")
                #expect(ahead.status == 200 && ahead.json["items"]?.list.isEmpty == true)
                #expect(ahead.json["head"]?.string == "Abcd1234.7" && ahead["Cache-Control"] == "public, max-age=1")
            }
            #expect(try await server.publicClient.get("/v1/matches/ipl-final/changes?after=x").status == 400)
        }
    }

    @Test func feedTextCannotBreakTheDocument() async throws {
        let view = try Samples.view(7, first: "<img onerror=x>\"\u{0}\n\u{202e}")
        try await withServer { server in
            server.publish(view)
            let answer = try await server.publicClient.get("/v1/matches/ipl-final")
            #expect(answer.json["teams"]?.list.first?["name"]?.string == "<img onerror=x>\"\u{0}\n\u{202e}")
        }
    }
}
