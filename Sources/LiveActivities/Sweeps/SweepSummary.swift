// The timer, the HTTP route and the command run the same sweep and report it in the same form.

internal import Foundation
internal import ScoreTypes

/// The report of one sweep.
public struct SweepSummary: Sendable, Hashable {
    /// The counts, as they are stored.
    public struct Counts: Sendable, Hashable, Codable {
        /// Rows that it found.
        public var scanned = 0
        /// Rows that it changed.
        public var changed = 0
        /// Its duration in milliseconds.
        public var tookMs: Int64 = 0
        /// Whether more is left than one sweep may do.
        public var more = false
    }

    /// The time that the sweep stands for, as text.
    public let slot: String
    /// Its counts of rows, and its duration.
    public var counts = Counts()
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

extension SweepSummary.Counts {
    /// The stored form: one JSON object.
    var json: [UInt8] { JSONWriter.document(self) }

    /// Reads the stored form; the counts are 0 if it cannot be read.
    init(json: [UInt8]) {
        self = (try? JSONDecoder().decode(Self.self, from: Data(json))) ?? Self()
    }
}
