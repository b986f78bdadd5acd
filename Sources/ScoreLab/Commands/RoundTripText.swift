// A person writes a round trip as ping prints it.

import ArgumentParser
import ScoreTypes

/// A time from a request to its answer, written as `60ms` or `0.06s`.
struct RoundTripText: ExpressibleByArgument, Sendable {
    let duration: Duration

    init(_ duration: Duration) { self.duration = duration }

    init?(argument: String) {
        let units: [(String, Double)] = [("ms", 1), ("s", 1_000)]
        guard let (unit, milliseconds) = units.first(where: { argument.hasSuffix($0.0) }),
            let number = Double(argument.dropLast(unit.count)), number >= 0,
            number * milliseconds <= LabLimits.benchRoundTripMilliseconds
        else { return nil }
        duration = .microseconds(Int64((number * milliseconds * 1_000).rounded()))
    }

    var defaultValueDescription: String { text }

    /// The text that `init(argument:)` reads.
    var text: String { "\(duration.inMilliseconds)ms" }
}

/// A number of connections, or as many as the dispatcher wants.
enum ConnectionsText: ExpressibleByArgument, Sendable, Hashable {
    case auto
    case fixed(Int)

    init?(argument: String) {
        if argument == "auto" {
            self = .auto
        } else if let number = Int(argument), (1...LabLimits.benchConnections).contains(number) {
            self = .fixed(number)
        } else {
            return nil
        }
    }

    var defaultValueDescription: String {
        switch self {
        case .auto: "auto"
        case .fixed(let number): "\(number)"
        }
    }

    /// Connections at the start and at most.
    var bounds: (least: Int, most: Int) {
        switch self {
        case .auto: (LabLimits.connections, LabLimits.benchConnections)
        case .fixed(let number): (number, number)
        }
    }
}
