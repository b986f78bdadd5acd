// A test provider with a sign-in, a table, and matches in two parts.

import Foundation
import MatchEngine
import MatchSamples
import ScoreTypes

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

/// A part that begins with `refused` is the provider's own refusal; a word `#<used>/<limit>` of the list counts the
/// plan; balls `4 x` need the word `x` in the table, and `4 ?` have an unknown status.
///
/// Sign-in at `/auth`, table at `/words`, list at `/list`, a match at `/m/<id>` and `/m/<id>/balls`; a notice about a
/// ball requests `/m/<id>/over/<over>` too. A match is subscribed at `/m/<id>/subscribe`.
struct PartsAdapter: Adapter {
    var provider: Provider { .roanuz }

    func opening(_ credentials: ProviderCredentials) -> [ProviderRequest] {
        [
            ProviderRequest(
                part: "auth",
                method: .post,
                path: "/auth",
                body: Array((credentials.key?.text ?? "").utf8)
            ),
            ProviderRequest(part: "words", path: "/words"),
        ]
    }

    func session(
        _ replies: ProviderReplies,
        _ credentials: ProviderCredentials,
        at now: Instant
    ) throws(AdapterError) -> ProviderSession {
        let token = String(decoding: try replies.required("auth"), as: UTF8.self)
        guard !token.hasPrefix("{") else { throw .wrongForm(path: "auth", expected: "a token") }
        return ProviderSession(
            token: Secret(token),
            expiresAt: now + .seconds(3_600),
            tables: ProviderReplies(["words": try replies.required("words")])
        )
    }

    func listRequests(_ session: ProviderSession, at now: Instant, replies: ProviderReplies) -> [ProviderRequest] {
        [ProviderRequest(part: .list, path: "/list", headers: Self.token(session))]
    }

    func fixtures(_ replies: ProviderReplies, _ session: ProviderSession) throws(AdapterError) -> FixtureListing {
        let list = String(decoding: try replies.required(.list), as: UTF8.self)
        if list == "refused" { throw .refused(path: "list:status", reason: "token") }
        return FixtureListing(
            fixtures: list.split(separator: " ").filter { !$0.hasPrefix("#") }.map { word in
                Fixture(id: ProviderMatchID(unchecked: String(word)), status: .live)
            }
        )
    }

    func allowance(_ replies: ProviderReplies) -> RequestAllowance? {
        guard let list = replies[.list].map({ String(decoding: $0, as: UTF8.self) }),
            let count = list.split(separator: " ").first(where: { $0.hasPrefix("#") })?.dropFirst()
        else { return nil }
        let numbers = count.split(separator: "/").compactMap { Int($0) }
        return numbers.count == 2 ? RequestAllowance(limit: numbers[1], used: numbers[0]) : nil
    }

    func matchRequests(
        _ id: ProviderMatchID,
        _ session: ProviderSession,
        replies: ProviderReplies
    ) -> [ProviderRequest] {
        let balls = ProviderRequest(part: "balls", path: "/m/\(id)/balls", headers: Self.token(session))
        // The frame is requested once; balls come with every poll.
        guard replies[.match] == nil else { return [balls] }
        return [ProviderRequest(part: .match, path: "/m/\(id)", headers: Self.token(session)), balls]
    }

    func subscription(to id: ProviderMatchID, _ session: ProviderSession) -> ProviderRequest? {
        ProviderRequest(part: "subscribe", method: .post, path: "/m/\(id)/subscribe", headers: Self.token(session))
    }

    func subscribed(_ replies: ProviderReplies) throws(AdapterError) {
        let answer = String(decoding: try replies.required("subscribe"), as: UTF8.self)
        if answer == "refused" { throw .refused(path: "subscribe", reason: answer) }
    }

    func requests(
        after notice: ProviderNotice,
        _ session: ProviderSession,
        replies: ProviderReplies
    ) -> [ProviderRequest] {
        let over = notice.ball.map { ball in
            ProviderRequest(
                part: ReplyPart(rawValue: "over.\(ball.over)"),
                path: "/m/\(notice.match)/over/\(ball.over)",
                headers: Self.token(session)
            )
        }
        return matchRequests(notice.match, session, replies: replies) + (over.map { [$0] } ?? [])
    }

    func snapshot(_ replies: ProviderReplies, _ session: ProviderSession) throws(AdapterError) -> MatchSnapshot {
        let words = String(decoding: try session.tables.required("words"), as: UTF8.self)
        let frame = String(decoding: try replies.required(.match), as: UTF8.self)
        let balls = String(decoding: try replies.required("balls"), as: UTF8.self)
        for reason in [frame, balls] where reason.hasPrefix("refused") {
            throw .refused(path: "balls:status", reason: reason)
        }
        let parts = balls.split(separator: " ").map(String.init)
        let isOdd = parts.last == "?"
        if parts.count == 2, !isOdd, !words.contains(parts[1]) {
            throw .unknownWord(path: "balls:word", word: parts[1])
        }
        guard let count = parts.first.flatMap({ Int($0) }) else {
            throw .wrongForm(path: "balls", expected: "a number")
        }
        var book = Scorebook.begun
        book.info.venue = frame
        for _ in 0..<count { book.ball(1) }
        if isOdd { book.status = StatusReport(status: .live, note: "Bees", isUnknown: true) }
        return book.snapshot
    }

    private static func token(_ session: ProviderSession) -> [ProviderRequest.Field] {
        [ProviderRequest.Field("rs-token", session.token?.text ?? "", isSecret: true)]
    }
}
