// All histograms share a few sets of buckets, so that dashboards can add them up over nodes.

/// Upper bounds of a histogram's buckets, ascending, without the infinite one.
enum HistogramBuckets {
    /// Seconds of work inside the server.
    private static let seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    /// Seconds from the provider to this server, or from this server to Apple.
    private static let freshness = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
    /// Bytes of a payload; APNs accepts up to 4,096.
    private static let bytes: [Double] = [256, 512, 1024, 2048, 3072, 3584, 4096, 5120]
    /// Bytes of a provider's reply: a score of a hundred, a match of some million.
    private static let replies: [Double] = [1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216]
    /// Counts, such as the rows of a batch or the revisions behind.
    private static let counts: [Double] = [0, 1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 10_000, 100_000]

    /// The bounds for a metric, chosen by its name.
    static func fitting(_ name: String) -> [Double] {
        if name.hasSuffix("_bytes") { return name.contains("feed") ? replies : bytes }
        guard name.hasSuffix("_seconds") else { return counts }
        return name.contains("lag") || name.contains("end_to_end") || name.contains("feed") ? freshness : seconds
    }
}
