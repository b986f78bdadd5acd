// Names that break a rule today; each list becomes shorter until it is empty.

import Testing

struct KnownNames: Sendable {
    let rule: String
    let names: Set<String>

    /// Fails for a name that breaks the rule and is not in the list, and for the names of the list that no longer do.
    ///
    /// - Parameters:
    ///   - found: The names that break the rule, with the paths of their files.
    ///   - location: The test.
    func check(_ found: [String: [String]], location: SourceLocation = #_sourceLocation) {
        for (name, places) in found.sorted(by: { $0.key < $1.key }) where !names.contains(name) {
            Issue.record("\(name): \(rule): \(places.joined(separator: ", "))", sourceLocation: location)
        }
        let gone = names.subtracting(found.keys).sorted()
        #expect(gone.isEmpty, "remove these from the list: \(gone.joined(separator: ", "))", sourceLocation: location)
    }

    /// Names of two top-level types.
    static let doubledTypes = KnownNames(
        rule: "a top-level type has a name of its own",
        names: [
            "ChannelProfile",
            "ChannelRecord",
            "Lane",
            "RequestBuffer",
            "ServerConfiguration",
            "Standing",
            "StoredProviderToken",
            "Tally",
            "Verdict",
        ]
    )

    /// Types whose suffix is a metaphor.
    static let metaphors = KnownNames(
        rule: "the name of a type ends in a term of the field",
        names: [
            "APNsDoor",
            "AcknowledgementDesk",
            "AliasBook",
            "AliasDesk",
            "AliasJoin",
            "AuditTrail",
            "Book",
            "CaptureDesk",
            "ChannelDesk",
            "ChannelJoin",
            "ChannelKeeper",
            "ControlJoin",
            "CrashLedger",
            "CrashStage",
            "DemoStage",
            "Desk",
            "Door",
            "EndLadder",
            "FanoutStage",
            "FeedJoin",
            "FeedStage",
            "FollowRooms",
            "FrontDoor",
            "HealthJoin",
            "HistogramLadder",
            "IdempotencyLedger",
            "IngestOrderDesk",
            "InternalDoor",
            "InternalRooms",
            "Join",
            "Ledger",
            "ListStage",
            "MatchKeeper",
            "MatchShelf",
            "MomentDesk",
            "NameBook",
            "NoticeBook",
            "NoticeJoin",
            "NoticeLedger",
            "PipelineJoin",
            "ProgressJoin",
            "ProgressLedger",
            "ProviderTokenBook",
            "ProviderTokenDesk",
            "ProviderTokenJoin",
            "PublicDoor",
            "PublicRooms",
            "PushBook",
            "PushLedger",
            "PushRooms",
            "PushStage",
            "RenewalBook",
            "Rooms",
            "ScoreBook",
            "Shelf",
            "SourceDesk",
            "SportmonksStage",
            "Stage",
            "StateTrail",
            "StatusTrail",
            "StoredRooms",
            "SweepJoin",
            "SweepLedger",
            "TestRooms",
            "TokenJoin",
        ]
    )

    /// Statements on tables of other targets, as "target: table".
    static let foreignTables = KnownNames(
        rule: "SQL stands in the target that owns the table",
        names: [
            "FollowService: bucket_owner",
            "FollowService: match",
            "ScoreServer: activity",
            "ScoreServer: channel",
            "ScoreServer: feed",
            "ScoreServer: follow",
        ]
    )
}
