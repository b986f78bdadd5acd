// One event of one match, written once and shared by all of its streams.

import LiveSurface
import MatchEngine
import MatchJournal
import NIOCore
import ScoreTypes

/// A `state` or `end` event; holders share its bytes.
struct StreamFrame: Sendable {
    let match: MatchID
    let revision: Revision
    /// Whether it ends the match.
    let isEnd: Bool
    /// The result's text, when there is one.
    let result: String?
    /// `event:` and `data:` lines, without an id and without the closing empty line.
    private let lines: ByteBuffer
    /// The closing lines for a stream of this match alone.
    private let singleEnding: ByteBuffer
    /// The whole event for a stream of this match alone, as a chunk of its body.
    let singleChunk: ByteBuffer

    /// The event of a view; a `reset` makes the client discard its own model first.
    init(_ view: MatchView, resetBecause reason: StreamReset? = nil) {
        match = view.match
        revision = view.revision
        isEnd = view.publication.isFinal
        result = view.publication.state.result?.text { view.info.team($0).name }
        let state = JSONWriter.document(reservingBytes: 4096) { Self.write(view, into: &$0) }
        let data =
            reason.map { reason in
                JSONWriter.document(reservingBytes: 4096) { json in
                    json.field("matchId", view.match.text)
                    json.field("reason", reason.rawValue)
                    json.field("snapshotUrl", "/v1/matches/\(view.match)")
                    json.key("state")
                    json.raw(state)
                }
            } ?? state
        lines = EventText.lines(event: reason == nil ? "state" : "reset", data: data)
        singleEnding = EventText.ending(id: view.revision.description)
        singleChunk = EventText.chunk([lines, singleEnding])
    }

    /// The buffers to write: the shared lines, then the position of the whole connection.
    func buffers(positions: StreamPositions) -> [ByteBuffer] {
        [lines, positions.isSingle ? singleEnding : EventText.ending(id: positions.text)]
    }

    private static func write(_ view: MatchView, into json: inout JSONWriter) {
        json.field("matchId", view.match.text)
        json.field("epoch", view.revision.epoch.text)
        json.field("rev", view.revision.number)
        json.field("status", view.publication.state.displayState.rawValue)
        json.key("display")
        json.raw(view.publication.contentState)
        json.field("atMs", view.publication.committedAt.milliseconds)
        json.field("cause", view.publication.cause.rawValue)
        json.field("urgent", view.publication.alert != nil)
    }
}

/// The reason why a client has to discard its model.
enum StreamReset: String, Sendable, Hashable { case unknownPosition, epochChanged }
