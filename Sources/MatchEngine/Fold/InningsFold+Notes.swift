// Facts of a ball beside its runs: reviewed decisions and replaced players.

extension InningsFold {
    /// Adds the moments of reviews and replacements; called only for balls that have some.
    mutating func noteReviewsAndReplacements(_ delivery: DeliveryReference, context: FoldContext) {
        for review in delivery.reviews {
            counters.reviews += 1
            guard let level = context.moments.level(of: .review) else { continue }
            card.played.append(moment(review, on: delivery.key, context.abbreviations[review.side], level))
        }
        // A bowler who completes another's over changes the scorecard only, not the eleven (Law 17.8).
        for replacement in delivery.replacements where replacement.scope == .match {
            counters.replacements += 1
            guard let level = context.moments.level(of: .substitute) else { continue }
            card.played.append(moment(replacement, on: delivery.key, context, level))
        }
    }

    private func moment(
        _ review: Review,
        on ball: DeliveryKey,
        _ side: String,
        _ level: MomentPolicy.Level
    ) -> Moment {
        let title =
            switch review.decision {
            case .pending: "Review"
            case .upheld: "Decision overturned"
            case .struckDown: review.isUmpiresCall ? "Umpire's call" : "Decision stands"
            case .failed: "Decision stands"
            }
        let outcome =
            switch review.decision {
            case .pending: "review"
            case .upheld: "review upheld"
            case .struckDown: review.isUmpiresCall ? "review struck down, umpire's call" : "review struck down"
            case .failed: "review not possible"
            }
        let batter = review.batter.map { ": \(Moment.name($0))" } ?? ""
        return Moment(
            "rv:\(card.info.ordinal):\(counters.reviews)",
            .review,
            level,
            subject: "\(review.side.rawValue)\(review.decision.rawValue)",
            delivery: ball,
            innings: card.info.ordinal,
            side: review.side,
            title: title,
            body: "\(side) \(outcome)\(batter)"
        )
    }

    private func moment(
        _ replacement: Replacement,
        on ball: DeliveryKey,
        _ context: FoldContext,
        _ level: MomentPolicy.Level
    ) -> Moment {
        let side = replacement.side.map { "\(context.abbreviations[$0]): " } ?? ""
        let who = Moment.name(replacement.incoming)
        let whom = replacement.outgoing.map { " for \(Moment.name($0))" } ?? ""
        return Moment(
            "sub:\(card.info.ordinal):\(counters.replacements)",
            .substitute,
            level,
            subject: replacement.incoming.id,
            delivery: ball,
            innings: card.info.ordinal,
            side: replacement.side,
            title: replacement.reason.title,
            body: "\(side)\(who)\(whom)"
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
