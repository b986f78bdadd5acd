// Cuts a finished Cricsheet document to what is known so far; a reply is a concatenation of encoded deliveries.

import Foundation
import ScoreTypes

/// Why a file cannot be played as a feed.
public enum FeedMatchError: Error, CustomStringConvertible {
    case notReadable(path: String)
    case notCricsheet(missing: String)

    /// One sentence with the way out.
    public var description: String {
        switch self {
        case .notReadable(let path): "Cannot read the match file \(path); give the path of a Cricsheet JSON file."
        case .notCricsheet(let missing):
            "The match file is not Cricsheet JSON: \(missing) is missing; files of format 1.0.0 to 1.2.0 can be played."
        }
    }
}

/// The parts of a document, ready to be put together again.
struct FeedReplies: Sendable {
    private struct Innings: Sendable {
        /// Members known from the first ball: team, target, super_over, penalty_runs given before.
        let opening: [UInt8]
        /// Members known when it is over: declared, forfeited, absent_hurt, penalty_runs, powerplays.
        let closing: [UInt8]
        let overs: [(number: Int, balls: [[UInt8]])]
        let isSuperOver: Bool
        var ballCount: Int { overs.reduce(0) { $0 + $1.balls.count } }
    }

    private let meta: [UInt8]
    private let info: [UInt8]
    private let finishedInfo: [UInt8]
    private let innings: [Innings]
    private let misreports: [Int: [UInt8]]

    var ballsOfInnings: [Int] { innings.map(\.ballCount) }
    var superOvers: [Bool] { innings.map(\.isSuperOver) }

    init(_ match: PlayedMatch) throws(FeedMatchError) {
        guard let top = try? JSONSerialization.jsonObject(with: Data(match.document)) as? [String: Any] else {
            throw .notCricsheet(missing: "a JSON object at the top")
        }
        guard let info = top["info"] as? [String: Any] else { throw .notCricsheet(missing: "info") }
        guard let teams = info["teams"] as? [String], teams.count == 2 else {
            throw .notCricsheet(missing: "info.teams with two names")
        }
        guard let innings = top["innings"] as? [[String: Any]] else { throw .notCricsheet(missing: "innings") }
        meta = Self.encode(top["meta"] ?? [String: Any]())
        finishedInfo = Self.encode(info)
        self.info = Self.encode(info.filter { !["outcome", "player_of_match"].contains($0.key) })
        var parts: [Innings] = []
        for entry in innings { parts.append(try Self.innings(entry)) }
        self.innings = parts
        misreports = Dictionary(match.misreports.map { ($0.ball, $0.posted) }) { first, _ in first }
    }

    /// The reply while a state holds; `version` grows with each state.
    func reply(_ frame: FeedFrame, version: Int, startsAt: Int64?) -> [UInt8] {
        var left = frame.balls
        var first = 0
        return JSONWriter.document(reservingBytes: 256 * 1024) { json in
            json.key("meta")
            json.raw(meta)
            json.key("info")
            json.raw(frame.isFinished ? finishedInfo : info)
            json.array("innings") { list in
                for (index, part) in innings.prefix(frame.innings).enumerated() {
                    let isOver = frame.isFinished || index + 1 < frame.innings || frame.status.hasSuffix("Break")
                    write(part, balls: left, firstBall: first, isOver: isOver, wrong: frame.misreported, to: &list)
                    left = max(0, left - part.ballCount)
                    first += part.ballCount
                }
            }
            json.object("live") { live in
                live.field("state", frame.status)
                if let startsAt { live.field("startsAt", startsAt) }
                live.field("version", version)
            }
        }
    }

    private func write(
        _ part: Innings,
        balls: Int,
        firstBall: Int,
        isOver: Bool,
        wrong: Int?,
        to list: inout JSONWriter
    ) {
        var left = balls
        var number = firstBall
        list.object { json in
            json.members(part.opening)
            if isOver { json.members(part.closing) }
            json.array("overs") { overs in
                for over in part.overs where left > 0 {
                    overs.object { entry in
                        entry.field("over", over.number)
                        entry.key("deliveries")
                        entry.array { deliveries in
                            for ball in over.balls.prefix(left) {
                                deliveries.raw(number == wrong ? misreports[number] ?? ball : ball)
                                number += 1
                            }
                        }
                    }
                    left -= min(left, over.balls.count)
                }
            }
        }
    }

    private static let knownAtTheEnd = ["declared", "forfeited", "absent_hurt", "penalty_runs", "powerplays"]

    private static func innings(_ entry: [String: Any]) throws(FeedMatchError) -> Innings {
        guard entry["team"] is String else { throw .notCricsheet(missing: "innings[].team") }
        var overs: [(number: Int, balls: [[UInt8]])] = []
        for over in entry["overs"] as? [[String: Any]] ?? [] {
            guard let number = over["over"] as? Int, let balls = over["deliveries"] as? [[String: Any]] else {
                throw .notCricsheet(missing: "innings[].overs[].over and deliveries")
            }
            overs.append((number, balls.map { encode($0) }))
        }
        var opening = entry.filter { $0.key != "overs" && !knownAtTheEnd.contains($0.key) }
        // A forfeited innings has no balls to wait for.
        if entry["forfeited"] != nil { opening["forfeited"] = entry["forfeited"] }
        let closing = entry.filter { knownAtTheEnd.contains($0.key) && opening[$0.key] == nil }
        return Innings(
            opening: encode(opening),
            closing: encode(closing),
            overs: overs,
            isSuperOver: entry["super_over"] as? Bool ?? false
        )
    }

    private static func encode(_ value: Any) -> [UInt8] {
        let data = try? JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes])
        return data.map(Array.init) ?? Array("{}".utf8)
    }
}

extension JSONWriter {
    /// Writes the members of an object that is already encoded, without its braces.
    fileprivate mutating func members(_ object: [UInt8]) {
        guard object.count > 2 else { return }
        raw(object.dropFirst().dropLast())
    }
}
