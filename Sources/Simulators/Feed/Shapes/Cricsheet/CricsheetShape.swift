// The feed for everybody without a key: the match file itself, as far as it is played.

import MatchEngine
internal import Providers
public import ScoreTypes

/// Serves `/matches` and `/matches/{id}`.
public struct CricsheetShape: ListingShape {
    /// Makes the shape.
    public init() {}

    /// Files of Cricsheet.
    public var provider: Provider { .cricsheet }

    /// Answers as the feed would.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - match: The present content of the match.
    /// - Returns: The answer; nil for an address that the feed does not have.
    public func answer(_ request: ShapeRequest, of match: ShownMatch) -> ShapeAnswer? { answer(request, of: [match]) }

    /// Answers for a feed of several matches.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - matches: All that the feed has.
    /// - Returns: The answer; nil for an address that the feed does not have.
    public func answer(_ request: ShapeRequest, of matches: [ShownMatch]) -> ShapeAnswer? {
        let parts = request.segments
        guard parts.first == "matches" else { return nil }
        if parts.count == 1 { return ShapeAnswer(body: Self.list(matches)) }
        guard parts.count == 2, let match = matches.first(where: { $0.id.text == parts[1] }) else { return nil }
        var document = match.document
        document.live = CricsheetDocument.Live(
            state: match.status.rawValue,
            note: match.note,
            since: match.since,
            startsAt: match.startsAt,
            version: match.version
        )
        return ShapeAnswer(body: document.json())
    }

    private static func list(_ matches: [ShownMatch]) -> [UInt8] {
        JSONWriter.document { json in
            json.key("matches")
            json.array { list in
                for match in matches {
                    list.object { json in
                        json.field("id", match.id.text)
                        json.field("startsAt", match.startsAt)
                        json.field("state", match.status.rawValue)
                    }
                }
            }
        }
    }
}
