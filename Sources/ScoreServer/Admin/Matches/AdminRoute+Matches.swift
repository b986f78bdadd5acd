// Repairs of one match, and images of a state in the body.

extension AdminRoute {
    static let resyncMatch = write("match.resync", "/matches/{id}/resync", .operate)
    static let republishMatch = write("match.republish", "/matches/{id}/republish", .operate)
    static let drawState = compute(
        "preview.draw",
        "/preview",
        query: ["layout", "scheme", "screen", "condition"]
    )

    /// All of them.
    static let matchRepairs = [resyncMatch, republishMatch, drawState]
}
