// Reviews and replacements as they stand in a document: read and written value by value.

internal import ScoreTypes

extension CricsheetReview: CricsheetPart {
    init(feed: FeedValue) throws(AdapterError) {
        by = try feed.need("by")
        batter = try feed.given("batter")
        decision = try feed.given("decision")
        umpire = try feed.given("umpire")
        umpiresCall = try feed.given("umpires_call")
        type = try feed.given("type")
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.put("batter", batter)
            json.put("by", by)
            json.put("decision", decision)
            json.put("type", type)
            json.put("umpire", umpire)
            json.put("umpires_call", umpiresCall)
        }
    }
}

extension CricsheetReplacements: CricsheetPart {
    init(feed: FeedValue) throws(AdapterError) {
        match = try feed.given("match")
        role = try feed.given("role")
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.put("match", match)
            json.put("role", role)
        }
    }
}

extension CricsheetReplacements.Entry: CricsheetPart {
    init(feed: FeedValue) throws(AdapterError) {
        incoming = try feed.need("in")
        outgoing = try feed.given("out")
        team = try feed.given("team")
        role = try feed.given("role")
        reason = try feed.given("reason")
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.put("in", incoming)
            json.put("out", outgoing)
            json.put("reason", reason)
            json.put("role", role)
            json.put("team", team)
        }
    }
}
