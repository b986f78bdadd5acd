// The timer, the HTTP route and the command run the same sweep and report it in the same form.

internal import Foundation
internal import ScoreTypes

/// The counts of one sweep.
public struct SweepSummary: Sendable, Hashable {
    /// The time that the sweep stands for, as text.
    public let slot: String
    /// Rows that it found.
    public var scanned = 0
    /// Rows that it changed.
    public var changed = 0
    /// Its duration in milliseconds.
    public var tookMilliseconds: Int64 = 0
    /// Whether more is left than one sweep may do.
    public var hasMore = false
    /// Whether it only counted.
    public var isDryRun = false
    /// Whether the slot had been swept before, and this is that sweep's summary.
    public var isRepetition = false

    /// A sweep that found nothing.
    public init(slot: String, isDryRun: Bool = false) {
        self.slot = slot
        self.isDryRun = isDryRun
    }
}

/// Why a sweep did not run.
public enum SweepRefusal: Error, Sendable, Hashable {
    /// Another node sweeps.
    case leaseHeld
    /// Not every match that was on at start is published yet: its activities look silent and are not.
    case notRecovered
}

extension SweepSummary {
    /// The stored form: one JSON object.
    var stored: [UInt8] {
        JSONWriter.document { json in
            json.field("scanned", scanned)
            json.field("changed", changed)
            json.field("tookMs", tookMilliseconds)
            json.field("more", hasMore)
        }
    }

    /// Reads the stored form; the counts are 0 if it cannot be read.
    init(stored json: [UInt8], slot: String, isRepetition: Bool) {
        struct Stored: Decodable {
            let scanned: Int
            let changed: Int
            let tookMs: Int64
            let more: Bool
        }
        self.init(slot: slot)
        self.isRepetition = isRepetition
        guard let stored = try? JSONDecoder().decode(Stored.self, from: Data(json)) else { return }
        scanned = stored.scanned
        changed = stored.changed
        tookMilliseconds = stored.tookMs
        hasMore = stored.more
    }
}
