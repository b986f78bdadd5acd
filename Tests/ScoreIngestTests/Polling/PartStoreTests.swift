// New parts of a reply, and parts that have to be requested in full again.

import MatchEngine
import ScoreTypes
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct PartStoreTests {
    private let one = Array("one".utf8)
    private let two = Array("two".utf8)

    @Test func aPartIsNewOnceAndKeepsItsTag() {
        var store = PartStore()
        #expect(store.replies.isEmpty && !store.isFresh)
        store.take(one, etag: "\"1\"", of: "match")
        store.take(two, etag: nil, of: "balls.1")
        #expect(store.isFresh && store.isAllNew && store.news.parts == ["balls.1", "match"])
        store.wasRead()
        #expect(!store.isFresh && store.news.isEmpty && store.etag(of: "match") == "\"1\"")
        store.take(two, etag: "\"2\"", of: "balls.1")
        #expect(!store.isFresh && store.etag(of: "balls.1") == "\"2\"")
        store.take(one, etag: "\"3\"", of: "balls.1")
        #expect(store.isFresh && !store.isAllNew && store.news.parts == ["balls.1"])
    }

    @Test func aHeldReplyIsRequestedInFullAndComparedAgain() {
        var store = PartStore()
        store.take(one, etag: "\"1\"", of: "match")
        store.wasRead()
        store.doubt()
        #expect(store.isFresh && store.etag(of: "match") == nil && store.isAllNew)
        store.take(one, etag: "\"1\"", of: "match")
        #expect(store.isFresh && store.replies["match"] == one)
    }

    @Test func requestsFollowFromTheBodiesAndTheSession() {
        var store = PartStore()
        let match = ProviderMatchID(unchecked: "1")
        func requested(_ token: String = "a") -> [String] {
            store.requests(of: match, PartsAdapter(), ProviderSession(token: Secret(token))).map {
                "\($0.part) \($0.headers[0].value)"
            }
        }
        #expect(requested() == ["match a", "balls a"])
        store.take(one, etag: nil, of: .match)
        #expect(requested() == ["balls a"], "the frame is requested once")
        #expect(requested("b") == ["balls b"])
        store.doubt()
        store.wasRead()
        #expect(requested() == ["balls a"])
        store.forget(.match)
        #expect(requested() == ["match a", "balls a"])
        store.take(one, etag: nil, of: .match)
        store.keep(["balls"])
        #expect(requested() == ["match a", "balls a"])
    }

    @Test func anUnreadablePartIsRequestedAgain() {
        var poll = MatchPoll(PolledFeed.fixture("1", nil))
        for part: ReplyPart in ["match", "balls.1", "balls.2"] { poll.replies.store.take(one, etag: "\"1\"", of: part) }
        poll.replies.couldNotRead(.missing(path: "data.over").at("balls.1"))
        #expect(poll.replies.store.replies.parts == ["balls.2", "match"] && poll.replies.store.isFresh)
        #expect(poll.replies.store.etag(of: "match") == nil)
        // A repeated error without a part: then the combination of the parts is unreadable.
        for _ in 2..<IngestLimits.unreadableMax { poll.replies.couldNotRead(.notJSON) }
        #expect(poll.replies.store.replies.parts == ["balls.2", "match"])
        poll.replies.couldNotRead(.notJSON)
        #expect(poll.replies.store.replies.isEmpty)
    }

    @Test func partsNoLongerRequestedAreRemoved() {
        var store = PartStore()
        store.take(one, etag: nil, of: "list.monday")
        store.take(two, etag: nil, of: "list.tuesday")
        store.wasRead()
        var other = store
        other.keep(["list.tuesday", "list.wednesday"])
        #expect(other.replies.parts == ["list.tuesday"] && other.isFresh)
        store.keep(["list.monday", "list.tuesday"])
        #expect(!store.isFresh)
    }
}

@Suite struct SessionStateTests {
    private let clock = ManualClock()
    private func session(for seconds: Double?) -> ProviderSession {
        ProviderSession(token: Secret("t"), expiresAt: seconds.map { ManualClock.wallAtZero + .seconds($0) })
    }

    private func failure(_ status: Int, retryAfter: Duration) -> FetchFailure {
        FetchFailure(label: status < 500 ? .http4xx : .http5xx, status: status, retryAfter: retryAfter)
    }

    @Test func aSessionIsRenewedBeforeItsEnd() {
        var state = SessionState()
        #expect(state.step(now: .zero) == .open)
        let day = session(for: 86_400)
        state.opened(day, ManualClock().context())
        #expect(state.step(now: .seconds(86_099)) == .use(day))
        #expect(state.step(now: .seconds(86_101)) == .open)
        // A short one at nine tenths of its life.
        let short = session(for: 100)
        state.opened(short, ManualClock().context())
        #expect(state.step(now: .seconds(89)) == .use(short))
        #expect(state.step(now: .seconds(91)) == .open)
        // One that has already expired is not opened again at once.
        let over = session(for: -5)
        state.opened(over, ManualClock().context())
        #expect(state.step(now: .seconds(9)) == .use(over))
    }

    @Test func aFailedOpeningWaitsWhileTheOldSessionIsUsed() {
        var state = SessionState()
        #expect(state.failed(nil, clock.context()) == .seconds(1))
        #expect(state.step(now: .milliseconds(400)) == .wait(.milliseconds(600)))
        #expect(state.step(now: .seconds(1)) == .open)
        let old = session(for: 1_000)
        state.opened(old, ManualClock().context())
        #expect(state.step(now: .seconds(950)) == .open)
        clock.advance(by: .seconds(950))
        _ = state.failed(failure(500, retryAfter: .seconds(20)), clock.context(jitter: 0))
        #expect(state.step(now: .seconds(960)) == .use(old))
        #expect(state.step(now: .seconds(970)) == .open)
        _ = state.failed(failure(401, retryAfter: .seconds(20)), clock.context(jitter: 0))
        #expect(state.step(now: .seconds(960)) == .wait(.seconds(10)), "a session of a refused key is refused")
    }

    @Test func aRefusalReopensTheSessionOnceAMinute() {
        var state = SessionState()
        let day = session(for: 86_400)
        state.opened(day, ManualClock().context())
        let answers = [59.0, 60].map { state.refused(now: .seconds($0)) }
        #expect(answers == [false, true])
        #expect(state.step(now: .seconds(60)) == .open)
        clock.advance(by: .seconds(61))
        state.opened(day, clock.context())
        let isWorthIt = state.refused(now: .seconds(62))
        #expect(!isWorthIt)
        #expect(state.step(now: .seconds(62)) == .use(day))
        let later = state.refused(now: .seconds(121))
        #expect(later && state.step(now: .seconds(121)) == .open)
        clock.advance(by: .seconds(60))
        _ = state.failed(failure(500, retryAfter: .seconds(20)), clock.context(jitter: 0))
        let meanwhile = state.refused(now: .seconds(122))
        #expect(!meanwhile, "otherwise the poller would retry without a pause")
        #expect(state.step(now: .seconds(122)) == .use(day))
        let afterwards = state.refused(now: .seconds(141))
        #expect(afterwards)
    }
}
