// The state that a measurement sends: of the size that a chase has, the same for every sender that is compared.

import PushDispatcher
import ScoreTypes

/// Publications of a made-up chase.
enum BenchPublication {
    private static let epoch: Epoch = {
        var chance = SplitMix64(seed: 1)
        return Epoch(using: &chance)
    }()

    /// A publication of a revision; with an alert it is a wicket.
    static func make(
        _ match: MatchID,
        revision: Int64,
        clock: ServiceClock,
        isWicket: Bool = false
    ) -> PushPublication {
        let now = clock.wall
        return PushPublication(
            match: match,
            revision: Revision(epoch: epoch, number: revision),
            apnsTimestamp: now.seconds,
            contentState: Array(state(revision).utf8),
            stateHash: UInt64(bitPattern: revision),
            alertKey: isWicket ? "wicket-\(revision)" : nil,
            alert: isWicket ? PushAlert(title: "Wicket", body: "R Sharma c K Pandya b J Bumrah 45 (32)") : nil,
            priority: isWicket ? .ten : .five,
            committedAt: now,
            cause: .correction
        )
    }

    /// The body of a silent update, as a comparison sends it.
    static func body(clock: ServiceClock) throws(PayloadError) -> [UInt8] {
        try Envelope.update(make(FanoutFixture.match, revision: 1, clock: clock), alert: nil)
    }

    private static func state(_ revision: Int64) -> String {
        """
        {"v":1,"rev":\(revision),"matchDisplayState":"live","compactLeading":{"teamAbbr":"IH","score":"87/6"},\
        "compactTrailing":{"overs":"12.3","runRate":"6.96","text":"83 off 45"},"minimal":{"text":"87/6","flash":"W"},\
        "expanded":{"teams":[{"abbr":"IH","score":"87/6","overs":"12.3","batting":true},{"abbr":"SB",\
        "score":"169/9","overs":"20","batting":false}],"batters":[{"name":"Hollis Marlow","runs":12,"balls":9,\
        "onStrike":true},{"name":"Corin Marlow","runs":3,"balls":4,"onStrike":false}],"bowler":{"name":\
        "Jasper Tolliver","figures":"3/17","overs":"2.3"},"recent":["1","W","4",".","wd","2"],"line":\
        "IH need 83 from 45 balls","event":{"kind":"wicket","text":"Rowan Stonebridge c Marlow b Tolliver 45(32)"}},\
        "lockScreen":{"line":"IH need 83 from 45 balls","sub":"Last wicket: Rowan Stonebridge 45(32)"},\
        "small":{"top":"IH 87/6","bottom":"SB 169/9","line":"need 83 (45)"}}
        """
    }
}
