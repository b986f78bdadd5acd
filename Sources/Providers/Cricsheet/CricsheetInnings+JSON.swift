// An innings as it stands in a document: read and written value by value.

internal import ScoreTypes

extension CricsheetInnings: CricsheetPart {
    static var isRow: Bool { true }

    init(feed: FeedValue) throws(AdapterError) {
        team = try feed.need("team")
        overs = try feed.given("overs")
        absentHurt = try feed.given("absent_hurt")
        declared = try feed.given("declared")
        forfeited = try feed.given("forfeited")
        penaltyRuns = try feed.given("penalty_runs")
        powerplays = try feed.given("powerplays")
        superOver = try feed.given("super_over")
        target = try feed.given("target")
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.put("absent_hurt", absentHurt)
            json.put("declared", declared)
            json.put("forfeited", forfeited)
            json.put("overs", overs)
            json.put("penalty_runs", penaltyRuns)
            json.put("powerplays", powerplays)
            json.put("super_over", superOver)
            json.put("target", target)
            json.put("team", team)
        }
    }
}

extension CricsheetInnings.PenaltyRuns: CricsheetPart {
    init(feed: FeedValue) throws(AdapterError) {
        pre = try feed.given("pre")
        post = try feed.given("post")
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.put("post", post)
            json.put("pre", pre)
        }
    }
}

extension CricsheetInnings.PowerplaySpan: CricsheetPart {
    init(feed: FeedValue) throws(AdapterError) {
        from = try feed.need("from")
        to = try feed.need("to")
        type = try feed.need("type")
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.put("from", from)
            json.put("to", to)
            json.put("type", type)
        }
    }
}

extension CricsheetInnings.TargetScore: CricsheetPart {
    init(feed: FeedValue) throws(AdapterError) {
        overs = try feed.given("overs")
        runs = try feed.given("runs")
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.put("overs", overs)
            json.put("runs", runs)
        }
    }
}

extension CricsheetOver: CricsheetPart {
    static var isRow: Bool { true }

    init(feed: FeedValue) throws(AdapterError) {
        over = try feed.need("over")
        deliveries = try feed.need("deliveries")
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.put("deliveries", deliveries)
            json.put("over", over)
        }
    }
}
