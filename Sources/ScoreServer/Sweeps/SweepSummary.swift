// The timer, the routes and the command run the same sweep and report it in the same form.

import Foundation
import ScoreTypes

/// The report of one sweep.
struct SweepSummary: Sendable, Hashable {
    /// The counts, as they are stored.
    struct Counts: Sendable, Hashable, Codable {
        /// Rows that it found.
        var scanned = 0
        /// Rows that it changed.
        var changed = 0
        /// Its duration in milliseconds.
        var tookMs: Int64 = 0
        /// Whether more is left than one sweep may do.
        var more = false
    }

    let kind: SweepKind
    /// The time that the sweep stands for, as text.
    let slot: String
    /// Its counts of rows, and its duration.
    var counts = Counts()
    /// Whether it only counted.
    var isDryRun = false
    /// Whether the slot had been swept before, and this is that sweep's summary.
    var isRepetition = false

    /// The summary as routes show it.
    var json: JSONValue {
        .record([
            "kind": .text(kind.rawValue), "slot": .text(slot), "scanned": .whole(counts.scanned),
            "changed": .whole(counts.changed), "tookMs": .integer(counts.tookMs), "more": .bool(counts.more),
            "dryRun": .bool(isDryRun), "wouldAffect": isDryRun ? .whole(counts.scanned) : nil,
            "repeated": .bool(isRepetition),
        ])
    }
}

/// Why a sweep did not run.
enum SweepRefusal: Error, Sendable, Hashable {
    /// Another node sweeps.
    case leaseHeld
    /// Not every match that was on at the start is published yet: its activities look silent and are not.
    case notRecovered
    /// This node sends no pushes, and the sweep ends activities by push.
    case notHere

    /// The answer of a route.
    var problem: ServiceProblem {
        switch self {
        case .leaseHeld: ServiceProblem(.conflict, "Another node runs this sweep.")
        case .notRecovered: .unavailable("recovery")
        case .notHere: .noSigningKey
        }
    }
}

extension SweepSummary.Counts {
    /// The stored form: one JSON object.
    var stored: [UInt8] { JSONWriter.document(self) }

    /// Reads the stored form; the counts are 0 if it cannot be read.
    init(stored: [UInt8]) {
        self = (try? JSONDecoder().decode(Self.self, from: Data(stored))) ?? Self()
    }
}
