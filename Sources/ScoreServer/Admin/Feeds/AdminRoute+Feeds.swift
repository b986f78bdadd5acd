// One feed in detail, and what it sent.

extension AdminRoute {
    static let feed = read("feed.read", "/feeds/{id}")
    static let feedCaptures = read(
        "feed.captures.read",
        "/feeds/{id}/captures",
        query: ["match", "at", "limit"],
        .operate
    )
    static let feedCapture = read("feed.capture.read", "/feeds/{id}/captures/{cid}", .operate)

    /// All of them.
    static let feedReads = [feed, feedCaptures, feedCapture]
}
