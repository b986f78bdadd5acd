// An activity that cannot outlast its match says so at its end, and does not just stop.

internal import LiveSurface
internal import MatchEngine
internal import ScoreTypes

/// A publication's picture with the word that following goes on in the app (PUBLICATION section 3, eight hours).
///
/// The word stands where an ended activity is still seen: below the main line of the Lock Screen.
public struct Farewell: Sendable, Hashable {
    /// The word.
    public static let words = "Keep following in the app"

    /// The JSON of the product's own content state, at most 3,500 bytes.
    public let contentState: [UInt8]
    /// The same in its newest layout.
    public let newestLayout: [UInt8]
    /// The JSON of the portable content state; nil where the publication has none.
    public let portable: [UInt8]?

    /// Draws the farewell of a publication.
    public init(of publication: Publication) {
        let (state, revision) = (publication.state, publication.revision.number)
        var content = ContentStateRenderer.render(state, info: publication.info, revision: revision, event: nil)
        content.lockScreen.sub = Self.words
        contentState = ContentStateRenderer.bytes(of: content)
        newestLayout = ContentStateRenderer.bytes(of: ContentStateRenderer.laidOut(content, of: state, as: .newest))
        portable = publication.other.portable.map { portable in
            var content = portable.content
            content.subhead = Self.words
            return SurfaceRenderer.bytes(of: content)
        }
    }
}
