// The frame as it stands in a document: read and written value by value.

internal import MatchEngine
internal import ScoreTypes

extension CricsheetInfo: CricsheetPart {
    init(feed: FeedValue) throws(AdapterError) {
        ballsPerOver = try feed.given("balls_per_over")
        city = try feed.given("city")
        dates = try feed.given("dates")
        event = try feed.given("event")
        gender = try feed.given("gender")
        matchType = try feed.need("match_type")
        outcome = try feed.given("outcome")
        overs = try feed.given("overs")
        playerOfMatch = try feed.given("player_of_match")
        players = try feed.given("players")
        registry = try feed.given("registry")
        season = try feed.given("season")
        teamType = try feed.given("team_type")
        teams = try feed.need("teams")
        toss = try feed.given("toss")
        venue = try feed.given("venue")
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.put("balls_per_over", ballsPerOver)
            json.put("city", city)
            json.put("dates", dates)
            json.put("event", event)
            json.put("gender", gender)
            json.put("match_type", matchType)
            json.put("outcome", outcome)
            json.put("overs", overs)
            json.put("player_of_match", playerOfMatch)
            json.put("players", players)
            json.put("registry", registry)
            json.put("season", season)
            json.put("team_type", teamType)
            json.put("teams", teams)
            json.put("toss", toss)
            json.put("venue", venue)
        }
    }
}

extension CricsheetInfo.Event: CricsheetPart {
    init(feed: FeedValue) throws(AdapterError) {
        name = try feed.given("name")
        matchNumber = try feed.given("match_number")
        group = try feed.given("group")
        stage = try feed.given("stage")
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.put("group", group)
            json.put("match_number", matchNumber)
            json.put("name", name)
            json.put("stage", stage)
        }
    }
}

extension CricsheetInfo.Outcome: CricsheetPart {
    init(feed: FeedValue) throws(AdapterError) {
        by = try feed.given("by")
        bowlOut = try feed.given("bowl_out")
        eliminator = try feed.given("eliminator")
        method = try feed.given("method")
        result = try feed.given("result")
        winner = try feed.given("winner")
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.put("bowl_out", bowlOut)
            json.put("by", by)
            json.put("eliminator", eliminator)
            json.put("method", method)
            json.put("result", result)
            json.put("winner", winner)
        }
    }
}

extension CricsheetInfo.Margin: CricsheetPart {
    init(feed: FeedValue) throws(AdapterError) {
        innings = try feed.given("innings")
        runs = try feed.given("runs")
        wickets = try feed.given("wickets")
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.put("innings", innings)
            json.put("runs", runs)
            json.put("wickets", wickets)
        }
    }
}

extension CricsheetInfo.Registry: CricsheetPart {
    init(feed: FeedValue) throws(AdapterError) {
        people = try feed.given("people")
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.put("people", people)
        }
    }
}

extension CricsheetInfo.Toss: CricsheetPart {
    init(feed: FeedValue) throws(AdapterError) {
        decision = try feed.given("decision")
        uncontested = try feed.given("uncontested")
        winner = try feed.need("winner")
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.put("decision", decision)
            json.put("uncontested", uncontested)
            json.put("winner", winner)
        }
    }
}
