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

    /// The work in each part of the run.
    let work: [SoakWork]
    /// Whether the process of the beginning is there at the end.
    let isSameProcess: Bool

    init(
        samples: [ServerSamples.Sample],
        counts: SoakCounts.Values,
        pushes: (accepted: Int, refused: Int),
        isSameProcess: Bool = true
    ) {
        self.samples = samples.count
        (self.counts, self.pushes, self.isSameProcess) = (counts, pushes, isSameProcess)
        let warm = (samples.last?.at ?? .zero) * LabLimits.soakWarmUp
        memory = GrowthFit(samples.map { ($0.at, Double($0.residentBytes)) }, from: warm)
        descriptors = GrowthFit(samples.map { ($0.at, Double($0.descriptors)) }, from: warm)
        work = SoakWork.parts(samples.map { ($0.at, $0.work) }, count: LabLimits.soakParts)
    }

    /// Whether the server worked all the time, showed no older state after a newer one, and did not grow beyond the
    /// limits.
    var isFlat: Bool { faults.isEmpty }

    /// Each condition that the run does not meet.
    var faults: [String] {
        let limit = LabLimits.soakGrowth
        let refusedMax = Double(counts.streams) * LabLimits.soakRefusedStreams
        let checks: [(isRight: Bool, text: String)] = [
            (memory.count > 2, "\(memory.count) samples after the warm-up"),
            (memory.growth <= limit.bytes, "memory grew by \((memory.growth / 1e6).rounded(to: 1)) MB"),
            (descriptors.growth <= limit.descriptors, "descriptors grew by \(descriptors.growth.rounded(to: 1))"),
            (isSameProcess, "the server's process has ended or was replaced"),
            (pushes.accepted > 0, "no push was accepted"),
            (counts.rounds > 0, "no round was finished"),
            (counts.wentBack == 0, "\(counts.wentBack) older states after newer ones"),
            (counts.undecodable == 0, "\(counts.undecodable) pushes did not decode"),
            (Double(counts.refusedStreams) <= refusedMax, "\(counts.refusedStreams) short streams were refused"),
        ]
        let idle = work.enumerated().flatMap { index, work in
            SoakWork.kinds.filter { $0.count(work) <= 0 }
                .map { "no \($0.name) in part \(index + 1) of \(LabLimits.soakParts)" }
        }
        return checks.filter { !$0.isRight }.map(\.text) + idle
    }

    var json: [UInt8] {
        JSONWriter.document { json in
            json.field("rounds", counts.rounds)
            json.field("matches", counts.matches)
            json.field("phones", counts.phones)
            json.field("registrations", counts.registrations)
            json.field("registrationsRefused", counts.refusedRegistrations)
            json.field("streams", counts.streams)
            json.field("streamsRefused", counts.refusedStreams)
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
            json.objects("parts", work) { work, part in
                part.field("pushes", work.pushes)
                part.field("streamStates", work.streamStates)
                part.field("registrations", work.registrations)
                part.field("revisions", work.revisions)
            }
            json.field("isFlat", isFlat)
            json.strings("faults", faults)
        }
    }

    var text: String {
        let limit = LabLimits.soakGrowth
        return """
            \(counts.rounds) whole rounds, \(counts.matches) matches, \(counts.phones) phones, \
            \(counts.registrations) registrations (\(counts.refusedRegistrations) refused), \(counts.streams) streams \
            (\(counts.refusedStreams) refused)
            \(pushes.accepted) pushes accepted, \(pushes.refused) refused; \(counts.streamStates) states on streams, \
            \(counts.wentBack) went back, \(counts.undecodable) undecodable
            over the last \(memory.span.inSeconds.rounded(to: 0)) s:
              memory       \((memory.mean / 1e6).rounded(to: 1)) MB, \
            \((memory.slope * 60 / 1e6).rounded(to: 3)) MB a minute, \((memory.growth / 1e6).rounded(to: 1)) MB in all \
            (limit \(limit.bytes / 1e6))
              descriptors  \(descriptors.mean.rounded(to: 1)), \((descriptors.slope * 60).rounded(to: 2)) a minute, \
            \(descriptors.growth.rounded(to: 1)) in all (limit \(limit.descriptors))
            pushes, states, registrations and revisions of each part: \(work.map(Self.line).joined(separator: ", "))
            \((isFlat ? ["flat"] : ["NOT FLAT"] + faults).joined(separator: "\n"))
            """
    }

    private static func line(_ work: SoakWork) -> String {
        SoakWork.kinds.map { "\($0.count(work))" }.joined(separator: " / ")
    }
}
