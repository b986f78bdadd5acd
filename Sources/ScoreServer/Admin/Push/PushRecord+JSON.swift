// Single pushes as operators read them: never a token, always its fingerprint.

import PushDispatcher
import ScoreTypes

/// All sampled tries of one push, which have the same id.
struct PushTimeline: Sendable {
    /// In the order in which they were sent.
    let tries: [PushRecord]
    let last: PushRecord

    /// nil without a try.
    init?(_ tries: [PushRecord]) {
        guard let last = tries.last else { return nil }
        (self.tries, self.last) = (tries, last)
    }

    /// The push with its timeline and its payload.
    var json: JSONValue {
        guard case .object(let members) = last.json else { return .null }
        return .object(
            members
                + JSONValue.Member.list([
                    "timeline": .array(events.map(\.json)),
                    "payloadBytes": last.attempt.payload.map { .whole($0.count) },
                    "payload": payload,
                ])
        )
    }

    /// The payload without tokens; nil if it is no longer in memory.
    var payload: JSONValue? { last.attempt.payload.flatMap { try? JSONValue(parsing: $0) }?.withoutTokens }

    /// Planned, sent and answered, for each try.
    var events: [PushStep] {
        let planned = tries.first?.plannedAt.map { [PushStep.planned($0)] } ?? []
        return planned + tries.flatMap { [.sent($0), .answered($0)] }
    }
}

/// A step of a push.
enum PushStep: Sendable {
    case planned(Instant)
    case sent(PushRecord)
    case answered(PushRecord)

    var at: Instant {
        switch self {
        case .planned(let at): at
        case .sent(let record): record.sentAt
        case .answered(let record): record.answeredAt
        }
    }

    var json: JSONValue {
        switch self {
        case .planned: .record(["at": .text(at.rfc3339), "event": .text("planned")])
        case .sent(let record):
            .record([
                "at": .text(at.rfc3339), "event": .text("sent"), "try": .whole(record.attempt.number),
            ])
        case .answered(let record):
            .record([
                "at": .text(at.rfc3339), "event": .text("answered"), "try": .whole(record.attempt.number),
                "status": .whole(record.attempt.status), "outcome": .text(record.attempt.outcome.label),
                "reason": .text(record.attempt.reason.rawValue),
                "durationMs": .number(record.attempt.duration.tenths), "final": .bool(record.attempt.isFinal),
            ])
        }
    }
}

extension PushSamples {
    /// The sampled tries of one push, the first one first.
    func tries(of id: String) -> [PushRecord] {
        records { $0.attempt.requestID == id }.sorted { $0.attempt.number < $1.attempt.number }
    }

    /// The answers of an environment that were no acceptance, the newest first.
    func errors(of environment: PushEnvironment) -> [JSONValue] {
        let errors = groups.filter { $0.key.environment == environment && $0.key.outcome != "accepted" }
            .sorted { $0.value.newest?.number ?? 0 > $1.value.newest?.number ?? 0 }
        return errors.map { answer, group in
            .record([
                "reason": .text(answer.reason.rawValue), "class": .text(answer.operation.rawValue),
                "outcome": .text(answer.outcome), "count": .whole(group.tries.count),
                "trap": answer.reason.trap.map { .text($0) }, "problem": answer.reason.page,
                "lastAt": group.tries.lastAt.map { .text($0.rfc3339) },
            ])
        }
    }

    /// The pushes that were given up, by answer, the newest first.
    var deadLettersJSON: [JSONValue] {
        deadLetters.map { answer, group in
            .record([
                "reason": .text(answer.reason.rawValue), "class": .text(answer.operation.rawValue),
                "environment": .text(answer.environment.rawValue), "outcome": .text(answer.outcome),
                "trap": answer.reason.trap.map { .text($0) }, "problem": answer.reason.page,
                "count": .whole(group.givenUp.count),
                "firstAt": group.givenUp.firstAt.map { .text($0.rfc3339) },
                "lastAt": group.givenUp.lastAt.map { .text($0.rfc3339) }, "sample": group.newest.map(\.json),
            ])
        }
    }
}

extension PushRecord {
    /// The try for operators.
    var json: JSONValue {
        let print = attempt.fingerprint.map { JSONValue.text($0.text) }
        return .record([
            "number": .integer(number), "id": .text(attempt.requestID), "match": .text(attempt.match.text),
            "rev": attempt.revision.map { .integer($0) }, "environment": .text(attempt.environment.rawValue),
            "class": .text(attempt.operation.rawValue), "broadcast": .bool(attempt.isBroadcast),
            "device": attempt.recipientDevice.map { .text($0.description) },
            "token": attempt.isBroadcast ? nil : print, "channel": attempt.isBroadcast ? print : nil,
            "outcome": .text(attempt.outcome.label), "status": .whole(attempt.status),
            "reason": .text(attempt.reason.rawValue), "trap": attempt.trap.map { .text($0) },
            "problem": attempt.reason.page,
            "try": .whole(attempt.number), "final": .bool(attempt.isFinal),
            "sentAt": .text(sentAt.rfc3339), "answeredAt": .text(answeredAt.rfc3339),
            "durationMs": .number(attempt.duration.tenths),
        ])
    }
}

extension APNsReason {
    /// The path of the page that explains the answer; nil for an acceptance.
    fileprivate var page: JSONValue? { ProblemPage.page(of: self).map { .text($0.path) } }
}

extension JSONValue {
    /// The value without the texts of members that name a token or a channel.
    fileprivate var withoutTokens: JSONValue {
        switch self {
        case .object(let members):
            .object(
                members.map { member in
                    let name = member.name.lowercased()
                    guard case .text = member.value, name.contains("token") || name.contains("channel") else {
                        return Member(name: member.name, value: member.value.withoutTokens)
                    }
                    return Member(name: member.name, value: .text(Redaction.mark))
                }
            )
        case .array(let elements): .array(elements.map(\.withoutTokens))
        case .text, .integer, .number, .bool, .null: self
        }
    }
}

extension Duration {
    /// Milliseconds in tenths, since an answer of a simulator takes less than one.
    var tenths: Double { ((self / .milliseconds(1)) * 10).rounded() / 10 }
}
