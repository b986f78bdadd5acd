// The result of a soak is a judgement: flat, or growing.

import ScoreTypes

/// The figures of a soak.
struct SoakReport: Report, Sendable {
    let samples: Int
    let counts: SoakCounts.Values
    let pushes: (accepted: Int, refused: Int)
    /// Resident bytes, after the warm-up.
    let memory: GrowthFit
    /// Descriptors, after the warm-up.
    let descriptors: GrowthFit

    init(samples: [ServerSamples.Sample], counts: SoakCounts.Values, pushes: (accepted: Int, refused: Int)) {
        self.samples = samples.count
        (self.counts, self.pushes) = (counts, pushes)
        let warm = (samples.last?.at ?? .zero) * LabLimits.soakWarmUp
        memory = GrowthFit(samples.map { ($0.at, Double($0.residentBytes)) }, from: warm)
        descriptors = GrowthFit(samples.map { ($0.at, Double($0.descriptors)) }, from: warm)
    }

    /// Whether the server worked, showed no older state after a newer one, and did not grow beyond the limits.
    var isFlat: Bool {
        memory.growth <= LabLimits.soakGrowth.bytes && descriptors.growth <= LabLimits.soakGrowth.descriptors
            && memory.count > 2 && pushes.accepted > 0 && counts.wentBack == 0 && counts.undecodable == 0
    }

    var json: [UInt8] {
        JSONWriter.document { json in
            json.field("rounds", counts.rounds)
            json.field("matches", counts.matches)
            json.field("phones", counts.phones)
            json.field("registrations", counts.registrations)
            json.field("registrationsRefused", counts.refusedRegistrations)
            json.field("streams", counts.streams)
            json.field("streamStates", counts.streamStates)
            json.field("pushesAccepted", pushes.accepted)
            json.field("pushesRefused", pushes.refused)
            json.field("wentBack", counts.wentBack)
            json.field("undecodable", counts.undecodable)
            json.field("samples", samples)
            json.number("judgedSeconds", memory.span.inSeconds.rounded(to: 1))
            json.number("residentMegabytes", (memory.mean / 1e6).rounded(to: 1))
            json.number("residentMegabytesPerMinute", (memory.slope * 60 / 1e6).rounded(to: 3))
            json.number("residentMegabytesGrown", (memory.growth / 1e6).rounded(to: 2))
            json.number("descriptors", descriptors.mean.rounded(to: 1))
            json.number("descriptorsPerMinute", (descriptors.slope * 60).rounded(to: 3))
            json.number("descriptorsGrown", descriptors.growth.rounded(to: 2))
            json.field("isFlat", isFlat)
        }
    }

    var text: String {
        let limit = LabLimits.soakGrowth
        return """
            \(counts.rounds) whole rounds, \(counts.matches) matches, \(counts.phones) phones, \
            \(counts.registrations) registrations (\(counts.refusedRegistrations) refused), \(counts.streams) streams
            \(pushes.accepted) pushes accepted, \(pushes.refused) refused; \(counts.streamStates) states on streams, \
            \(counts.wentBack) went back, \(counts.undecodable) undecodable
            over the last \(memory.span.inSeconds.rounded(to: 0)) s:
              memory       \((memory.mean / 1e6).rounded(to: 1)) MB, \
            \((memory.slope * 60 / 1e6).rounded(to: 3)) MB a minute, \((memory.growth / 1e6).rounded(to: 1)) MB in all \
            (limit \(limit.bytes / 1e6))
              descriptors  \(descriptors.mean.rounded(to: 1)), \((descriptors.slope * 60).rounded(to: 2)) a minute, \
            \(descriptors.growth.rounded(to: 1)) in all (limit \(limit.descriptors))
            \(isFlat ? "flat" : "NOT FLAT")
            """
    }
}
