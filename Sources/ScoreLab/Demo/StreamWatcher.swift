// One open stream, as the app in the foreground has it: reconnects, and judges the order of what it is shown.

import CurlTransfer
import Foundation
import LiveSurface
import ScoreTypes
import Synchronization

/// Watches one match's stream.
final class StreamWatcher: Sendable {
    /// The observations.
    struct Report: Sendable {
        var revisions = 0
        var wentBack = 0
        var newest: Int64 = 0
    }

    /// How long to wait before a stream that ended is opened again.
    static let reconnectWait = Duration.milliseconds(100)

    private struct Event: Decodable {
        let rev: Int64
        let display: LiveActivityAttributes.ContentState
    }

    private let url: String
    private let host: String
    private let driver: TransferDriver
    private let onState: @Sendable (LiveActivityAttributes.ContentState) async -> Void
    private let seen = Mutex(Report())

    init(
        host: String,
        port: Int,
        match: MatchID,
        driver: TransferDriver,
        onState: @escaping @Sendable (LiveActivityAttributes.ContentState) async -> Void
    ) {
        url = "http://\(host):\(port)/v1/matches/\(match)/stream"
        self.host = host
        self.driver = driver
        self.onState = onState
    }

    var report: Report { seen.withLock { $0 } }

    /// Watches until cancelled.
    func run() async {
        while !Task.isCancelled {
            let headers = [(name: "Accept", value: "text/event-stream"), ("Cache-Control", "no-store")]
            let stream = driver.stream(
                Transfer(url: url, headers: headers, deadline: nil, security: .local([host]))
            )
            var lines = LineSplitter()
            do {
                for try await chunk in stream { for line in lines.split(chunk) { await take(line) } }
            } catch {
                // The server went away or was killed: the app tries again.
            }
            try? await Task.sleep(for: Self.reconnectWait)
        }
    }

    private func take(_ line: String) async {
        guard line.hasPrefix("data: {"), line.contains("\"display\"") else { return }
        guard let event = try? JSONDecoder().decode(Event.self, from: Data(line.dropFirst(6).utf8)) else { return }
        let isNew = seen.withLock { report -> Bool in
            if event.rev < report.newest { report.wentBack += 1 }
            guard event.rev > report.newest else { return false }
            report.newest = event.rev
            report.revisions += 1
            return true
        }
        if isNew { await onState(event.display) }
    }
}

/// Cuts a stream of bytes into lines, whatever the chunks.
struct LineSplitter {

    private var rest: [UInt8] = []

    mutating func split(_ chunk: [UInt8]) -> [String] {
        rest += chunk
        var lines: [String] = []
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            lines.append(String(decoding: rest[..<end], as: UTF8.self))
            rest.removeSubrange(...end)
        }
        if rest.count > LabLimits.streamLineBytes { rest = [] }
        return lines
    }
}
