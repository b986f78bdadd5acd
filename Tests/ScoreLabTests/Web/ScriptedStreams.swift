// A server of the stream contract that ends, repeats and delays as each scenario of the web client needs.

import ScoreTypes
import Synchronization
import TestSupport

/// The scripted answers; the first part of a path is the scenario.
final class ScriptedStreams: Sendable {
    /// Queries of the opened streams by scenario, in order.
    let opened = Mutex<[String: [String]]>([:])
    /// Whether scenario `proven` was polled.
    private let isProvenPolled = Mutex(false)
    /// Signalled when the page has closed the stream of scenario `left`.
    let left = ThreadEvent()
    /// Signalled when no answer needs to wait any more.
    let over = ThreadEvent()

    /// Starts the server.
    func server() throws -> ScriptedServer {
        try ScriptedServer { [self] request, write in
            let parts = request.path.split(separator: "/", maxSplits: 1).map(String.init)
            let scenario = parts.first ?? ""
            guard let target = parts.last, target.contains("stream") else {
                if scenario == "removed" {
                    let isRemoved = parts.last?.hasSuffix("/n") == true
                    return write(isRemoved ? Self.removed : Self.json(200, Self.match(rev: 7, status: "live")))
                }
                return write(Self.json(200, scenario == "proven" ? proven() : Self.match(rev: 9, status: "finished")))
            }
            let number = opened.withLock { opened in
                let query = request.path.split(separator: "?").dropFirst().first.map(String.init) ?? ""
                opened[scenario, default: []].append(query)
                return opened[scenario, default: []].count
            }
            stream(scenario, number, write)
            return false
        }
    }

    private func stream(_ scenario: String, _ number: Int, _ write: ScriptedServer.Write) {
        let hello = "event: hello\ndata: {\"heartbeatMs\":15000}\n\n"
        switch (scenario, number) {
        case ("over", _): _ = write(Self.head(204))
        case ("gone", _): _ = write(Self.json(404, #"{"type":"/v1/problems/not-found","title":"Not found"}"#))
        case ("removed", 1): _ = write(Self.removed)
        case ("polled", _), ("proven", _): _ = write(Self.json(503, "{}"))
        case ("split", _):
            let bytes = Array((hello + Self.state(1, line: "Zoë 🏏") + Self.end).utf8)
            _ = write(Self.head(200))
            for byte in bytes { _ = write([byte]) }
        case ("resume", 1), ("older", 1), ("epoch", 1): send(hello + Self.state(5), write)
        case ("resume", _): send(hello + Self.state(6) + Self.end, write)
        case ("older", _): send(hello + Self.state(4) + Self.state(5) + Self.state(7) + Self.end, write)
        case ("epoch", _): send(hello + Self.reset(1) + Self.end, write)
        case ("bye", 1):
            send(hello + "event: bye\ndata: {\"reason\":\"draining\",\"reconnectAfterMs\":20}\n\n", write)
            _ = over.await(seconds: 60)
        case ("held", 1):
            send(hello + Self.state(1) + "event: held\ndata: {\"matchId\":\"m\",\"held\":true}\n\n", write)
        case ("silent", 1):
            send("event: hello\ndata: {\"heartbeatMs\":1}\n\n" + Self.state(1), write)
            _ = over.await(seconds: 60)
        case ("buffered", _):
            send(": padding\n", write)
            while write(Array(": more\n".utf8)) { _ = over.await(seconds: 1) }
        case ("left", _):
            send(hello + Self.state(1), write)
            while write(Array(": more\n".utf8)) { _ = over.await(seconds: 1) }
            left.signal()
        case ("aborted", _):
            send(hello, write)
            _ = over.await(seconds: 60)
        case ("two", 1): send(hello + Self.state(1) + Self.state(2, match: "n") + Self.end, write)
        case ("two", _): send(hello + Self.state(3, match: "n") + Self.end(match: "n"), write)
        default: send(hello + Self.state(8) + Self.end, write)
        }
    }

    /// A held match whose result only the balls prove; at the next poll it is released, and the feed states the result.
    private func proven() -> String {
        let isStated = isProvenPolled.withLock { isPolled in
            defer { isPolled = true }
            return isPolled
        }
        let provenance = #","provenance":{"held":\#(!isStated),"stale":false}"#
        return Self.match(rev: 9, status: "finished", isOfficial: isStated, members: provenance)
    }

    private func send(_ text: String, _ write: ScriptedServer.Write) { _ = write(Self.head(200) + Array(text.utf8)) }

    private static let removed = json(410, #"{"type":"/v1/problems/match-removed","title":"Removed"}"#)

    private static let end = end(match: "m")

    private static func end(match: String) -> String {
        "event: end\nid: E.9\ndata: {\"matchId\":\"\(match)\",\"result\":\"won\"}\n\n"
    }

    private static func state(_ rev: Int, match: String = "m", line: String = "-") -> String {
        "event: state\nid: E.\(rev)\ndata: \(body(rev, match: match, line: line))\n\n"
    }

    private static func reset(_ rev: Int) -> String {
        "event: reset\nid: F.\(rev)\ndata: {\"matchId\":\"m\",\"state\":\(body(rev, epoch: "F"))}\n\n"
    }

    private static func body(_ rev: Int, match: String = "m", epoch: String = "E", line: String = "-") -> String {
        """
        {"matchId":"\(match)","epoch":"\(epoch)","rev":\(rev),"status":"live",\
        "display":{"lockScreen":{"line":"\(line)"}}}
        """
    }

    private static func match(rev: Int, status: String, isOfficial: Bool = true, members: String = "") -> String {
        """
        {"id":"m","epoch":"E","rev":\(rev),"status":"\(status)","display":{"lockScreen":{"line":"over"}},\
        "result":{"text":"won","official":\(isOfficial)},"nextPollMs":1000\(members)}
        """
    }

    private static func head(_ status: Int) -> [UInt8] {
        Array(
            """
            HTTP/1.1 \(status) Because\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\
            Access-Control-Allow-Origin: *\r\n\r\n
            """.utf8
        )
    }

    private static func json(_ status: Int, _ text: String) -> [UInt8] {
        let headers = ["Content-Type": "application/json", "Access-Control-Allow-Origin": "*"]
        return ScriptedServer.reply(status: status, headers: headers, body: Array(text.utf8))
    }
}
