// An activity that ends before its match says that the app goes on with it.

internal import LiveSurface
internal import MatchEngine
internal import ScoreTypes

/// A publication with the note that following goes on in the app (PUBLICATION section 3, eight hours).
///
/// The note is below the main line of the Lock Screen, where an ended activity is still visible.
public struct Farewell: Sendable, Hashable {
    /// The note.
    public static let words = "Keep following in the app"

    /// The JSON of the product's own content state, at most 3,500 bytes.
    public let contentState: [UInt8]
    /// The same in the newest layout that this node renders.
    public let newestLayout: [UInt8]
    /// The JSON of the portable content state; nil where the publication has none.
    public let portable: [UInt8]?

    /// Renders the content of a publication with the note.
    public init(of publication: Publication) {
        let (state, revision) = (publication.state, publication.revision.number)
        var content = ContentStateRenderer.render(state, info: publication.info, revision: revision, event: nil)
        content.lockScreen.sub = Self.words
        contentState = ContentStateRenderer.bytes(of: content)
        let newest = ContentStateRenderer.laidOut(content, of: state, as: publication.other.version)
        newestLayout = ContentStateRenderer.bytes(of: newest)
        portable = publication.other.portable.map { portable in
            var content = portable.content
            content.subhead = Self.words
            return SurfaceRenderer.bytes(of: content)
        }
    }
}
