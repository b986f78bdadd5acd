// Roanuz posts either a small notice or the whole match in gzip.

internal import MatchEngine
internal import ScoreTypes

/// Reads the bodies that Roanuz posts to a webhook.
public enum RoanuzPush {
    /// Reads a posted body, JSON or JSON in gzip: a notice, or the match as the reply `match`.
    ///
    /// - Throws: `AdapterError` for a body that is neither, and for one that inflates beyond 4 MiB.
    public static func read(_ body: [UInt8]) throws(AdapterError) -> ProviderPush {
        let json = try unpacked(body)
        guard try ReplyJSON.read(Envelope.self, from: json).isNotice else {
            return .replies(try match(json), ProviderReplies([.match: json]))
        }
        guard let data = try ReplyJSON.read(Posted.self, from: json).data else { throw .missing(path: "data") }
        guard let key = data.matchkey, let id = ProviderMatchID(key) else { throw .missing(path: "data.matchkey") }
        let sentAt = data.ts.flatMap { Int64(exactly: $0.value.rounded(.down)) }
        return .notice(ProviderNotice(match: id, ball: try data.ball.map(ball), sentAt: sentAt))
    }

    /// The JSON of a body, unpacked when it is gzip.
    private static func unpacked(_ body: [UInt8]) throws(AdapterError) -> [UInt8] {
        guard Compression.isGzip(body) else { return body }
        do throws(Compression.Failure) {
            return try Compression.unpack(body, limit: AdapterLimits.pushedBytes)
        } catch {
            switch error {
            case .malformed: throw .wrongForm(path: "body", expected: "a whole gzip")
            case .tooLarge: throw .tooLarge(limit: AdapterLimits.pushedBytes)
            }
        }
    }

    /// The members that distinguish a notice from a match; both have a `data_kind`.
    private struct Envelope: Decodable {
        let dataKind: String?
        let data: Marks?

        /// Only notices have a `matchkey` or a kind such as `ball-update`.
        var isNotice: Bool { data?.matchkey != nil || dataKind?.hasSuffix("-update") == true }

        struct Marks: Decodable {
            let matchkey: String?
        }
    }

    private struct Posted: Decodable {
        let data: Notice?
    }

    private struct Notice: Decodable {
        let matchkey: String?
        let ball: Ball?
        let ts: FlexibleNumber?
    }

    private struct Ball: Decodable {
        let ballKey: FlexibleNumber
        let over: Int?
        let battingOrder: Int?
    }

    private static func ball(_ ball: Ball) throws(AdapterError) -> ProviderNotice.Ball {
        guard let number = ball.ballKey.whole, let key = RoanuzBallKey(String(number)) else {
            throw .wrongForm(path: "data.ball.ball_key", expected: "a ball key")
        }
        guard ball.battingOrder ?? key.innings == key.innings else {
            throw .contradiction(path: "data.ball.batting_order", expected: "the innings of the key")
        }
        let over = try AdapterError.check(ball.over ?? key.place / 8, in: 0...AdapterLimits.overs, at: "data.ball.over")
        return ProviderNotice.Ball(innings: key.innings, over: over)
    }

    private static func match(_ json: [UInt8]) throws(AdapterError) -> ProviderMatchID {
        let match = try ReplyJSON.read(RoanuzReply<RoanuzMatch>.self, from: json).content()
        guard let id = ProviderMatchID(match.key) else { throw .wrongForm(path: "data.key", expected: "an id") }
        return id
    }
}
