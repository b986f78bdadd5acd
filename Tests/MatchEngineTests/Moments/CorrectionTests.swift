// The text in place of an alert that was wrong, and which alerts are wrong.

import LiveSurface
import ScoreTypes
import Testing

@testable import MatchEngine

@Suite struct CorrectionTests {
    private static func moment(_ title: String, _ body: String) -> Moment {
        Moment("w:1:1", .wicket, .loud, subject: "x", title: .literal(title), body: .literal(body))
    }

    /// A fielder who is named later, or a substitute, makes no alert wrong; another way out, runs or batter do.
    @Test(arguments: [
        ("R Sharma c Kohli b Bumrah 45(32)", "R Sharma c Kohli b Bumrah 45(32)", true),
        ("R Sharma c sub b Bumrah 45(32)", "R Sharma c sub (Kohli) b Bumrah 45(32)", true),
        ("R Sharma run out (Lyon) 45(32)", "R Sharma run out (Lyon/Watson/Haddin) 45(32)", true),
        ("R Sharma caught b Bumrah 45(32)", "R Sharma c Kohli b Bumrah 45(32)", true),
        ("R Sharma stumped b Ashwin 45(32)", "R Sharma st †Dhoni b Ashwin 45(32)", true),
        ("R Sharma c Kohli b Bumrah 45(32)", "R Sharma lbw b Bumrah 45(32)", false),
        ("R Sharma c Kohli b Bumrah 45(32)", "R Sharma c Kohli b Bumrah 46(33)", false),
        ("R Sharma c Kohli b Bumrah 45(32)", "R Sharma c & b Bumrah 45(32)", false),
        ("R Sharma run out (Lyon/Watson) 45(32)", "R Sharma run out (Watson/Lyon) 45(32)", false),
    ])
    func anAlertIsRightWhileItsWordsAre(said: String, now: String, isRight: Bool) {
        #expect(Self.moment("Wicket!", said).isConfirmed(by: Self.moment("Wicket!", now)) == isRight)
        #expect(!Self.moment("Wicket!", said).isConfirmed(by: Self.moment("All out!", now)))
    }

    private static func match(_ marks: String) -> MatchScript {
        var script = MatchScript.t20()
        script.status(.live)
        script.begin(.first)
        script.bowl(marks)
        return script
    }

    private static func wicket(_ script: MatchScript) throws -> Moment {
        try #require(script.state.moments.last { $0.kind == .wicket })
    }

    @Test func aBatterWhoIsNotOutIsStillBatting() throws {
        let alert = try Self.wicket(Self.match("1 1 W"))
        let now = Self.match("1 1 1")
        let text = alert.correction(now: nil, in: now.state, info: now.info)
        #expect(text.title == "Correction" && text.body == "Not out: Home Batter1 is still batting")
        #expect(text.key == alert.key && !text.isAlert && text.relevance == alert.relevance)
        #expect(text.keyed.body == NotificationText(.notOut, "Home Batter1"))
        var over = now
        over.reframe { $0.isClosed = true }
        #expect(alert.correction(now: nil, in: over.state, info: now.info).body == "Not out: Home Batter1 2(2)")
    }

    @Test func anotherDismissalIsNamed() throws {
        let alert = try Self.wicket(Self.match("1 1 W"))
        var script = Self.match("1 1")
        let out = Dismissal(kind: .runOut, out: script.batter(1), fielders: [Fielder(name: "Ravindra Jadeja")])
        script.add(dismissals: [out])
        let now = try Self.wicket(script)
        #expect(!alert.isConfirmed(by: now))
        let text = alert.correction(now: now, in: script.state, info: script.info)
        #expect(text.body == now.body && text.body.contains("run out ("))
    }

    @Test func anythingElseIsTakenBackWithTheSituation() throws {
        let alert = Moment("b50:1:x", .fifty, .loud, subject: "x", innings: 1, title: "Fifty!", body: "X 50")
        let now = Self.match("1 4 .")
        let text = alert.correction(now: nil, in: now.state, info: now.info)
        #expect(text.title == "Correction" && text.body == "Taken back: Fifty. MI 5/0 after 0.3 overs")
        let unknown = Moment("w:1:1", .wicket, .loud, subject: "unknown", innings: 1, title: "Wicket!", body: "X b Y")
        let other = unknown.correction(now: nil, in: now.state, info: now.info)
        #expect(other.body == "Taken back: Wicket. MI 5/0 after 0.3 overs")
    }

    @Test func aCorrectionIsPassiveAndSilent() throws {
        let alert = try Self.wicket(Self.match("1 1 W"))
        let now = Self.match("1 1 1")
        let context = SurfaceContext(
            match: .init(unchecked: "m1"),
            revision: 9,
            updatedAt: .init(milliseconds: 0),
            scheme: "score",
            event: alert.correction(now: nil, in: now.state, info: now.info)
        )
        let payload = try SurfaceRenderer.notification(of: now.state, info: now.info, in: context, hasKeys: true).silent
        #expect(payload.aps.interruptionLevel == "passive" && payload.aps.sound == nil)
        #expect(payload.aps.alert.title == NotificationText(.correction))
        let json = String(decoding: SurfaceRenderer.bytes(of: payload), as: UTF8.self)
        #expect(!json.contains("sound") && json.contains(#""loc-args":["Home Batter1"]"#))
    }
}
