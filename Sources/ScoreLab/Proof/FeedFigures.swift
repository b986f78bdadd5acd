// The figures of all proofs, by provider and in all.

import MatchJournal
import Providers
import ScoreTypes

/// The result of `verify-feeds`.
struct FeedFigures: Report {
    let sums: [(provider: Provider, sum: FeedVerdictSum)]
    /// The learned waits in seconds; empty for unknown feeds.
    let waits: [Provider: [MomentClass: Int]]
    let seed: UInt64
    let pace: ProofPace
    let files: Int
    /// Real time of the run.
    let seconds: Int

    private var total: FeedVerdictSum {
        var total = FeedVerdictSum()
        for (_, sum) in sums { total.add(sum) }
        return total
    }

    /// Whether every card was right, no provider was mute, and few enough alerts were untrue, corrected or omitted.
    ///
    /// Of one provider's alerts three are one in a thousand, which chance alone exceeds: all are counted together.
    var isGood: Bool { !sums.contains(where: \.sum.isMute) && total.isGood(few: sums.count, at: pace) }

    var text: String {
        let total = total
        var lines = sums.flatMap { provider, sum -> [String] in
            let learned = MomentClass.allCases.compactMap { kind in
                waits[provider]?[kind].map { "\(kind.rawValue) \($0) s" }
            }
            let place = "\(provider.rawValue), seed \(seed)\(pace == .live ? ", live" : "")"
            let line = learned.isEmpty ? nil : "\(place), waits: \(learned.joined(separator: ", "))"
            return [line, "\(place): \(sum.text)"].compactMap(\.self)
        }
        lines.append(
            "\(total.failed) of \(total.matches) failed; of \(total.announced) alerts \(total.revoked) revoked later, "
                + "\(total.untrue) untrue, \(total.putRight) corrected by the scorer since; "
                + "\(total.passedOver.values.reduce(0, +)) more omitted, \(total.doubted) of them after held replies "
                + "(at most one in \(FeedVerdictSum.doubtedOneIn))"
        )
        lines.append("\(files) files in \(seconds) s")
        return lines.joined(separator: "\n")
    }

    var json: [UInt8] {
        JSONWriter.document { json in
            total.write(to: &json)
            json.number("seconds", Double(seconds))
            json.key("providers")
            json.object { providers in
                for (provider, sum) in sums {
                    providers.key(dynamic: provider.rawValue)
                    providers.object { sum.write(to: &$0) }
                }
            }
        }
    }
}
