// An adapter answers any bytes with a snapshot or an error: fuzzers and tests check that here.

internal import LiveSurface
internal import MatchEngine
internal import MatchJournal
public import Providers
internal import ScoreTypes

/// Lets an adapter read bytes in all its ways, and checks the results.
public enum AdapterProbe {
    /// Begins the line that names a reply in a text of several.
    private static let mark = Array("== ".utf8)
    /// The part with the body of a webhook.
    private static let push: ReplyPart = "push"
    /// Most replies of one text; the largest of the fuzzers' texts have a handful.
    private static let partsMax = 64

    /// Splits a text into replies: a line `== part` stands before each.
    ///
    /// - Parameter text: The text; what stands before the first mark is forgotten.
    /// - Returns: The replies.
    public static func replies(_ text: [UInt8]) -> ProviderReplies {
        var replies = ProviderReplies()
        var part: ReplyPart?
        var body: [UInt8] = []
        var count = 0
        func end() { if let part { replies[part] = Array(body.dropLast()) } }
        // The newline at the end of the text closes its last line and begins none.
        let whole = text.last == UInt8(ascii: "\n") ? text.dropLast() : text[...]
        for line in whole.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if line.starts(with: mark), count < partsMax {
                end()
                count += 1
                part = ReplyPart(rawValue: String(decoding: line.dropFirst(mark.count), as: UTF8.self))
                body = []
            } else {
                body += line
                body.append(UInt8(ascii: "\n"))
            }
        }
        end()
        return replies
    }

    /// Writes replies as one text.
    ///
    /// - Parameter replies: The replies; a line of a body must not begin with the mark.
    /// - Returns: The text.
    public static func text(_ replies: ProviderReplies) -> [UInt8] {
        var text: [UInt8] = []
        for part in replies.parts {
            text += mark
            text += Array(part.rawValue.utf8)
            text.append(UInt8(ascii: "\n"))
            text += replies[part] ?? []
            text.append(UInt8(ascii: "\n"))
        }
        return text
    }

    /// Reads replies: sign-in, lists, match, notices; then folds and draws the snapshot.
    ///
    /// - Parameters:
    ///   - replies: The replies, by part.
    ///   - adapter: The adapter that reads them.
    ///   - earlier: Replies that were read before them; they must make no difference.
    /// - Returns: The faults; none for a usable snapshot, and for replies that are refused.
    public static func faults(
        of replies: ProviderReplies,
        read adapter: any Adapter,
        after earlier: ProviderReplies = ProviderReplies()
    ) -> [String] {
        let now = Instant(milliseconds: 1_700_000_000_000)
        let key = Secret("key")
        let credentials = ProviderCredentials(project: "demo", key: key, secret: key)
        // Without tables when there is no session, so that an invalid table does not hide the rest.
        let session =
            (try? adapter.session(replies, credentials, at: now)) ?? ProviderSession(project: "demo", token: key)
        _ = adapter.listRequests(session, at: now, replies: replies)
        _ = try? adapter.fixtures(replies, session)
        _ = adapter.allowance(replies)
        let id = ProviderMatchID(unchecked: "1")
        _ = adapter.matchRequests(id, session, replies: replies)
        var faults = self.faults(of: replies, adapter, session, after: earlier, at: now)
        if adapter.provider == .roanuz, let body = replies[push] {
            switch try? RoanuzPush.read(body) {
            case .notice(let notice): _ = adapter.requests(after: notice, session, replies: replies)
            case .replies(_, let pushed):
                // As a poller applies it: in place of the current match, beside its pages.
                var held = ProviderReplies()
                held.merge(replies)
                held.merge(pushed)
                faults += self.faults(of: held, adapter, session, after: replies, at: now)
            case nil: break
            }
        }
        return faults
    }

    /// The faults of a snapshot, read at once and after other replies.
    private static func faults(
        of replies: ProviderReplies,
        _ adapter: any Adapter,
        _ session: ProviderSession,
        after earlier: ProviderReplies,
        at now: Instant
    ) -> [String] {
        let snapshot = try? adapter.snapshot(replies, session)
        var faults: [String] = []
        // Read again: decoded values are stored beside their replies.
        if (try? adapter.snapshot(primed(with: earlier, for: replies, adapter, session), session)) != snapshot {
            faults.append("read otherwise the second time")
        }
        return faults + (snapshot.map { self.faults(of: $0, provider: adapter.provider, at: now) } ?? [])
    }

    /// The same replies with the decoded values of earlier ones, which were read twice: constant parts are kept.
    private static func primed(
        with earlier: ProviderReplies,
        for replies: ProviderReplies,
        _ adapter: any Adapter,
        _ session: ProviderSession
    ) -> ProviderReplies {
        var primed = ProviderReplies()
        for space in [[], Array(" ".utf8)] {
            for part in earlier.parts { primed[part] = earlier[part].map { $0 + space } }
            _ = try? adapter.snapshot(primed, session)
        }
        for part in primed.parts where replies[part] == nil { primed[part] = nil }
        primed.merge(replies)
        return primed
    }

    /// Faults that no snapshot may have.
    private static func faults(of snapshot: MatchSnapshot, provider: Provider, at now: Instant) -> [String] {
        var faults: [String] = []
        let deliveries = snapshot.deliveries
        if Set(deliveries.map(\.key)).count != deliveries.count { faults.append("two balls with one key") }
        if zip(deliveries, deliveries.dropFirst()).contains(where: { $0.order > $1.order }) {
            faults.append("balls out of order")
        }
        let clock = ServiceClock(monotonic: { .zero }, wall: { now })
        var match = ProbedMatch(provider, clock)
        guard case .applied = match.accept(snapshot) else { return faults + ["a first snapshot that is not applied"] }
        // As in a writer: the feed's delay without a time gets one. A second sighting may confirm
        // the moments of the first, and after that no announcement is left.
        var known = match.state.record
        let second = match.accept(snapshot)
        known.apply(.confirmed(Array(match.state.record.confirmed)))
        switch (second, match.accept(snapshot)) {
        case (.applied, .unchanged), (.unchanged, .unchanged):
            if match.state.record != known { faults.append("news in what is known already") }
        case (.applied, .applied), (.unchanged, .applied): faults.append("news each time")
        default: faults.append("a doubt in what is known already")
        }
        let state = ContentStateRenderer.render(match.state.folded, info: snapshot.info, revision: 1)
        if state.minimal.text.count > 7 { faults.append("too much for the smallest drawing") }
        return faults
    }
}

/// The decisions of a writer, without its database.
private struct ProbedMatch {
    private(set) var state: WriterState
    private let source: JournalSource
    private let clock: ServiceClock

    init(_ provider: Provider, _ clock: ServiceClock) {
        self.clock = clock
        source = JournalSource(provider, FeedID(unchecked: provider.rawValue))
        state = WriterState(
            match: MatchID(unchecked: "1"),
            revision: Revision(epoch: MatchWriter.randomEpoch(), number: 0),
            gate: Gate(clock),
            replica: MatchReplica(options: EngineOptions()),
            waits: ConfirmationWaits(clock),
            clock: clock,
            now: clock.monotonic
        )
    }

    /// Applies a snapshot of the match.
    mutating func accept(_ snapshot: MatchSnapshot) -> Acceptance {
        let reply = SeenReply(snapshot, seenAt: clock.wall, source: source)
        let decision = state.decide(.reply(reply), at: clock.wall, now: clock.monotonic)
        return Acceptance(decision.verdict, revision: state.adopt(decision))
    }
}
