// Any Cricsheet match in the format of CricketData (CricAPI) v1, which has totals only.

import MatchEngine
public import ScoreTypes

/// Serves `/currentMatches`, `/matches` and `/match_info`.
///
/// The format has no balls, batters, bowlers, targets and declarations; a revised target is only in the sentence of the
/// result. The counters of the plan grow with the time that has passed, since a shape has no memory.
public struct CricketDataShape: FeedShape {
    /// Requests of a day that the plan allows.
    public static let hitsLimit = 10_000

    private let key: String?

    /// Makes the shape.
    ///
    /// - Parameter key: The required `apikey` of a request; nil accepts all requests.
    public init(key: String? = nil) { self.key = key }

    /// CricketData.
    public var provider: Provider { .cricketData }

    /// Answers as the provider would.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - match: The present content of the match.
    /// - Returns: The answer; nil for an address that the provider does not have.
    public func answer(_ request: ShapeRequest, of match: ShownMatch) -> ShapeAnswer? { answer(request, of: [match]) }

    /// The number of seconds for which one request is counted; a poll each half minute is what such a plan is for.
    private static let secondsAHit: Int64 = 30

    private static func reply(_ hits: Int64, _ write: (inout JSONWriter) -> Void) -> ShapeAnswer {
        ShapeAnswer(
            body: JSONWriter.document { json in
                json.key("data")
                write(&json)
                json.field("status", "success")
                json.key("info")
                json.object { json in
                    json.field("hitsToday", hits)
                    json.field("hitsUsed", 1)
                    json.field("hitsLimit", hitsLimit)
                }
            }
        )
    }

    private static func failure(_ reason: String) -> ShapeAnswer {
        ShapeAnswer(
            body: JSONWriter.document { json in
                json.field("status", "failure")
                json.field("reason", reason)
            }
        )
    }
}

extension CricketDataShape: ListingShape {
    /// Answers for a feed of several matches.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - matches: All that the feed has.
    /// - Returns: The answer; nil for an address that the provider does not have.
    public func answer(_ request: ShapeRequest, of matches: [ShownMatch]) -> ShapeAnswer? {
        guard let path = request.segments.first, request.segments.count == 1 else { return nil }
        if let key, request.query["apikey"] != key { return Self.failure("Invalid API Key") }
        let hits = matches.map { max(0, $0.updatedAt - $0.startsAt) / Self.secondsAHit }.max() ?? 0
        switch path {
        case "currentMatches", "matches":
            let isPage = request.query["offset"].flatMap(Int.init) ?? 0 == 0
            return Self.reply(hits) { json in
                json.array { list in
                    for match in isPage ? matches : [] {
                        guard let writer = CricketDataWriter(match) else { continue }
                        list.object(writer.write)
                    }
                }
            }
        case "match_info":
            guard let match = matches.first(where: { $0.id.text == request.query["id"] }),
                let writer = CricketDataWriter(match)
            else { return Self.failure("Unknown match") }
            return Self.reply(hits) { $0.object(writer.write) }
        default: return nil
        }
    }
}
