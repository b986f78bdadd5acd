// A ball as it stands in a document: read and written value by value.

internal import MatchEngine
internal import ScoreTypes

extension CricsheetDelivery: CricsheetPart {
    init(feed: FeedValue) throws(AdapterError) {
        batter = try feed.need("batter")
        bowler = try feed.need("bowler")
        nonStriker = try feed.need("non_striker")
        runs = try feed.need("runs")
        extras = try feed.given("extras")
        wickets = try feed.given("wickets")
        review = try feed.given("review")
        replacements = try feed.given("replacements")
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.put("batter", batter)
            json.put("bowler", bowler)
            json.put("extras", extras)
            json.put("non_striker", nonStriker)
            json.put("replacements", replacements)
            json.put("review", review)
            json.put("runs", runs)
            json.put("wickets", wickets)
        }
    }
}

extension CricsheetDelivery.Runs: CricsheetPart {
    init(feed: FeedValue) throws(AdapterError) {
        batter = try feed.need("batter")
        extras = try feed.need("extras")
        total = try feed.need("total")
        nonBoundary = try feed.given("non_boundary")
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.put("batter", batter)
            json.put("extras", extras)
            json.put("non_boundary", nonBoundary)
            json.put("total", total)
        }
    }
}

extension CricsheetDelivery.Extras: CricsheetPart {
    init(feed: FeedValue) throws(AdapterError) {
        byes = try feed.given("byes")
        legbyes = try feed.given("legbyes")
        noballs = try feed.given("noballs")
        penalty = try feed.given("penalty")
        wides = try feed.given("wides")
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.put("byes", byes)
            json.put("legbyes", legbyes)
            json.put("noballs", noballs)
            json.put("penalty", penalty)
            json.put("wides", wides)
        }
    }
}

extension CricsheetDelivery.Wicket: CricsheetPart {
    init(feed: FeedValue) throws(AdapterError) {
        fielders = try feed.given("fielders")
        kind = try feed.need("kind")
        playerOut = try feed.given("player_out")
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.put("fielders", fielders)
            json.put("kind", kind)
            json.put("player_out", playerOut)
        }
    }
}

extension CricsheetDelivery.FielderName: CricsheetPart {
    init(feed: FeedValue) throws(AdapterError) {
        name = try feed.given("name")
        substitute = try feed.given("substitute")
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.put("name", name)
            json.put("substitute", substitute)
        }
    }
}
