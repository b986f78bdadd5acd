// A provider publishes totals and cards beside its balls; they are folded from the content, so that they agree.

public import MatchEngine
internal import Providers

/// The content of a match, in neutral terms and folded.
struct ShownScore: Sendable {
    let snapshot: MatchSnapshot
    let state: MatchState
    /// The day of play, from 1.
    let day: Int
    /// Balls by ordinal of their innings, each with its index among all balls.
    let balls: [Int: [(index: Int, delivery: Delivery)]]

    /// Reads and folds what is shown.
    init(_ match: ShownMatch) throws(AdapterError) {
        snapshot = try CricsheetAdapter().snapshot(of: match.liveDocument)
        state = snapshot.folded
        day = match.day
        balls = Dictionary(
            grouping: snapshot.deliveries.enumerated().map { (index: $0.offset, delivery: $0.element) },
            by: \.delivery.innings
        )
    }

    /// The card of an innings; nil before it is known.
    func card(_ ordinal: Int) -> InningsState? { state.innings.first { $0.info.ordinal == ordinal } }

    /// A team's name.
    func team(_ side: Side) -> String { snapshot.info.team(side).name }

    /// The result in a sentence; nil while there is none.
    var resultSentence: String? { state.result?.text { team($0) } }
}

extension MatchSnapshot {
    /// The match as the engine folds it.
    public var folded: MatchState {
        var replica = MatchReplica()
        replica.apply(
            [.info(info)] + innings.map(Change.innings) + deliveries.map(Change.inserted)
                + [.status(status), .result(result)]
        )
        return replica.state
    }
}

extension CricsheetDocument {
    /// The name by which a person is known to the file's register, or the name itself.
    func personID(_ name: String) -> String { info.registry?.people?[name] ?? name }
}

extension ShownMatch {
    /// The document with the state of play.
    var liveDocument: CricsheetDocument {
        var document = document
        document.live = CricsheetDocument.Live(
            state: status.rawValue,
            startsAt: isStartFixed ? startsAt : nil,
            version: version
        )
        return document
    }
}
