// Facts of a ball beside its runs: reviewed decisions and replaced players.

internal import LiveSurface

extension InningsFold {
    /// Adds the moments of reviews and replacements; called only for balls that have some.
    mutating func noteReviewsAndReplacements(_ delivery: DeliveryReference, context: FoldContext) {
        for review in delivery.pointee.reviews {
            counters.reviews += 1
            note(review, on: delivery, context)
        }
        // A bowler who completes another's over changes the scorecard only, not the eleven (Law 17.8).
        for replacement in delivery.pointee.replacements where replacement.scope == .match {
            counters.replacements += 1
            note(replacement, on: delivery, context)
        }
    }

    private mutating func note(_ review: Review, on ball: DeliveryReference, _ context: FoldContext) {
        let (title, outcome) =
            switch review.decision {
            case .pending: ("Review", "review")
            case .upheld: ("Decision overturned", "review upheld")
            case .struckDown where review.isUmpiresCall: ("Umpire's call", "review struck down, umpire's call")
            case .struckDown: ("Decision stands", "review struck down")
            case .failed: ("Decision stands", "review not possible")
            }
        let batter = review.batter.map { ": \($0.fullName)" } ?? ""
        note(
            .review,
            "rv:\(card.info.ordinal):\(counters.reviews)",
            on: ball,
            context,
            subject: "\(review.side.rawValue)\(review.decision.rawValue)",
            side: review.side,
            title: .literal(title),
            body: "\(context.abbreviations[review.side]) \(outcome)\(batter)"
        )
    }

    private mutating func note(_ replacement: Replacement, on ball: DeliveryReference, _ context: FoldContext) {
        let side = replacement.side.map { "\(context.abbreviations[$0]): " } ?? ""
        let outgoing = replacement.outgoing.map { " for \($0.fullName)" } ?? ""
        note(
            .substitute,
            "sub:\(card.info.ordinal):\(counters.replacements)",
            on: ball,
            context,
            subject: replacement.incoming.id,
            side: replacement.side,
            title: .literal(replacement.reason.title),
            body: "\(side)\(replacement.incoming.fullName)\(outgoing)"
        )
    }
}

extension Replacement.Reason {
    /// Title of the moment.
    fileprivate var title: String {
        switch self {
        case .concussion: "Concussion substitute"
        case .covid: "Covid replacement"
        case .impactPlayer: "Impact player"
        case .injury: "Injury substitute"
        case .nationalCallUp, .nationalRelease: "Replacement"
        case .supersub: "Supersub"
        case .tactical: "Tactical substitute"
        case .excluded, .unknown: "Substitute"
        }
    }
}
