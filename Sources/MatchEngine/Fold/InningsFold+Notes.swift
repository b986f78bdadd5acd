// Facts of a ball beside its runs: reviewed decisions and replaced players.

extension InningsFold {
    /// Adds the moments of reviews and replacements; called only for balls that have some.
    mutating func noteReviewsAndReplacements(_ delivery: DeliveryReference, context: FoldContext) {
        for review in delivery.reviews {
            counters.reviews += 1
            guard let place = place(of: .review, delivery, context) else { continue }
            card.played.append(moment(review, context.abbreviations[review.side], at: place))
        }
        // A bowler who completes another's over changes the scorecard only, not the eleven (Law 17.8).
        for replacement in delivery.replacements where replacement.scope == .match {
            counters.replacements += 1
            guard let place = place(of: .substitute, delivery, context) else { continue }
            card.played.append(moment(replacement, context, at: place))
        }
    }

    private func moment(_ review: Review, _ side: String, at place: MomentPlace) -> Moment {
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
            at: place,
            subject: "\(review.side.rawValue)\(review.decision.rawValue)",
            side: review.side,
            title: title,
            body: "\(side) \(outcome)\(batter)"
        )
    }

    private func moment(_ replacement: Replacement, _ context: FoldContext, at place: MomentPlace) -> Moment {
        let side = replacement.side.map { "\(context.abbreviations[$0]): " } ?? ""
        let who = Moment.name(replacement.incoming)
        let whom = replacement.outgoing.map { " for \(Moment.name($0))" } ?? ""
        return Moment(
            "sub:\(card.info.ordinal):\(counters.replacements)",
            .substitute,
            at: place,
            subject: replacement.incoming.id,
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
