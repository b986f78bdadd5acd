// A provider publishes totals and cards beside its balls; they are folded from the content, so that they agree.

public import MatchEngine
internal import Providers

/// The content of a match, in neutral terms and folded.
struct ShownScore: Sendable {
    let snapshot: MatchSnapshot
    let state: MatchState
    /// The day of play, from 1.
    let day: Int
    /// Balls by ordinal of their innings; the indices are those of the snapshot.
    let balls: [Int: ArraySlice<Delivery>]

    /// Reads what is shown, and folds what changed since an earlier content.
    init(_ match: ShownMatch, after earlier: inout FoldedContent) throws(AdapterError) {
        snapshot = try CricsheetAdapter().snapshot(of: match.liveDocument, after: &earlier.balls)
        earlier.replica.apply(Differ.changes(from: earlier.replica.record, to: snapshot))
        state = earlier.replica.state
        day = match.day
        balls = Dictionary(snapshot.deliveries.byInnings.map { ($0.ordinal, $0.balls) }) { first, _ in first }
    }

    /// The card of an innings; nil before it is known.
    func card(_ ordinal: Int) -> InningsState? { state.innings.first { $0.info.ordinal == ordinal } }

    /// A team's name.
    func team(_ side: Side) -> String { snapshot.info.team(side).name }

    /// The result in a sentence; nil while there is none.
    var resultSentence: String? { state.result?.text { team($0) } }
}

/// The content that was folded last.
struct FoldedContent: Sendable {
    var balls: CricsheetBalls?
    var replica = MatchReplica()
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
