// A folder of matches is one feed: its lists have all of them, which a shape of one match cannot write.

/// A shape that knows how the provider lists several matches.
public protocol ListingShape: FeedShape {
    /// Answers for a feed of several matches.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - matches: All that the feed has.
    /// - Returns: The answer; nil for what the provider does not have, which is 404.
    func answer(_ request: ShapeRequest, of matches: [ShownMatch]) -> ShapeAnswer?
}
