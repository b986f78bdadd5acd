// One event of one match, written once and shared by all of its streams.

import LiveSurface
import MatchEngine
import MatchJournal
import NIOCore
import ScoreTypes

/// An event that moves the position of its match; holders share its bytes.
struct StreamFrame: Sendable {
    let match: MatchID
    let revision: Revision
    /// The end of the match; nil while it goes on.
    let end: StreamEnding?
    /// The revision before it, for most of the streams of this match alone; nil when it has no such member.
    private let previous: Int64?
    /// Whether it names the revision before it on the connection.
    private let namesPrevious: Bool
    /// `event:` and `data:` lines, without the last brace, the id and the closing empty line.
    private let opened: ByteBuffer
    /// The closing lines for most of the streams of this match alone.
    private let singleEnding: ByteBuffer
    /// The whole event for these streams, as a chunk of their bodies.
    let singleChunk: ByteBuffer

    /// An event whose data are an object; its closing brace follows later.
    init(
        event: StaticString,
        data: [UInt8],
        of match: MatchID,
        at revision: Revision,
        end: StreamEnding?,
        namesPrevious: Bool = false,
        previous: Int64? = nil
    ) {
        (self.match, self.revision, self.end) = (match, revision, end)
        (self.namesPrevious, self.previous) = (namesPrevious, previous)
        opened = EventText.opened(event: event, data: data)
        singleEnding = EventText.closing(id: revision.description, previous: previous)
        singleChunk = EventText.chunk([opened, singleEnding])
    }

    /// The state of a view.
    ///
    /// - `previous`: The revision of the match's state before it, which most of its streams have.
    init(_ view: MatchView, previous: Int64? = nil) {
        self.init(
            event: "state",
            data: Self.data(of: view),
            of: view.match,
            at: view.revision,
            end: StreamEnding(view),
            namesPrevious: true,
            previous: previous
        )
    }

    /// The event that makes the client discard its own model and adopt the state of a view.
    init(_ view: MatchView, resetBecause reason: StreamReset) {
        let data = JSONWriter.document(reservingBytes: 4096) { json in
            json.field("matchId", view.match.text)
            json.field("reason", reason.rawValue)
            json.field("snapshotUrl", "/v1/matches/\(view.match)")
            json.key("state")
            json.raw(Self.data(of: view))
        }
        self.init(event: "reset", data: data, of: view.match, at: view.revision, end: StreamEnding(view))
    }

    /// Whether it ends the match.
    var isEnd: Bool { end != nil }
    /// Its bytes on a stream of this match alone.
    var byteCount: Int { singleChunk.readableBytes }

    /// Whether `singleChunk` is right for a stream of this match alone at a position.
    func isShared(after position: Revision?) -> Bool { !namesPrevious || position?.number == previous }

    /// The buffers to write: the shared lines, then the revision before it and the position of the whole connection.
    func buffers(positions: StreamPositions, after position: Revision?) -> [ByteBuffer] {
        if positions.isSingle && isShared(after: position) { return [opened, singleEnding] }
        return [opened, EventText.closing(id: positions.text, previous: namesPrevious ? position?.number : nil)]
    }

    /// Writes the complete state of a view beside its position.
    static func writeState(of view: MatchView, into json: inout JSONWriter) {
        json.field("status", view.publication.state.displayState.rawValue)
        json.key("display")
        json.raw(view.publication.contentState)
        json.field("cause", view.publication.cause.rawValue)
        json.field("urgent", view.publication.alert != nil)
    }

    private static func data(of view: MatchView) -> [UInt8] {
        JSONWriter.document(reservingBytes: 4096) { json in
            json.field("matchId", view.match.text)
            json.field("epoch", view.revision.epoch.text)
            json.field("rev", view.revision.number)
            json.field("atMs", view.publication.committedAt.milliseconds)
            writeState(of: view, into: &json)
        }
    }
}

/// The end of a match.
struct StreamEnding: Sendable, Hashable {
    /// The result's text, when there is one.
    let result: String?

    /// nil for a match that goes on.
    init?(_ view: MatchView) {
        guard view.publication.isFinal else { return nil }
        result = view.publication.state.result?.text { view.info.team($0).name }
    }
}

/// The reason why a client has to discard its model.
enum StreamReset: String, Sendable, Hashable {
    /// The server does not know the client's position.
    case unknownPosition
    /// The journal of the match was made anew.
    case epochChanged
    /// The client's position is too old.
    case compacted
    /// The client reads too slowly.
    case overflow
    /// The server cannot read now what the client lacks.
    case resync
}
