// Operators switch parts of the service off at run time; each switch has a type, a default and one meaning.

import ScoreTypes

/// A switch.
enum FlagName: String, Sendable, Hashable, CaseIterable {
    /// Off: no activity is started, renewed or started again by push.
    case pushToStart = "push-to-start"
    /// Off: nothing is sent to the sandbox of APNs; waiting states are replaced by newer ones.
    case sandbox = "apns.sandbox"
    /// Off: nothing is sent to the production environment of APNs.
    case production = "apns.production"
    /// Off: open streams end, and new ones are refused; apps poll.
    case streams
    /// The lowest build of the app that may run; 0 for any.
    case minimumBuild = "minimum-build"
    /// A text that apps show; empty for none.
    case banner

    /// The value without a change.
    var defaultValue: JSONValue {
        switch self {
        case .pushToStart, .sandbox, .production, .streams: .bool(true)
        case .minimumBuild: .integer(0)
        case .banner: .text("")
        }
    }

    /// The switch of an APNs environment.
    init(of environment: PushEnvironment) {
        switch environment {
        case .sandbox: self = .sandbox
        case .production: self = .production
        }
    }

    /// Reads a value of the switch's type; nil with a mistake in the fields for any other.
    func read(_ fields: inout FieldReader) -> JSONValue? {
        switch defaultValue {
        case .bool: fields.required("value", .flag).map { .bool($0) }
        case .integer: fields.required("value", .integer(0...Self.newestBuild)).map { .integer($0) }
        default: fields.required("value", .text(0...ServerLimits.bannerLength)).map { .text($0) }
        }
    }

    /// The greatest build number that every JSON reader represents exactly.
    private static let newestBuild = ServerLimits.clientSequences.upperBound
}

/// A switch that an operator changed.
struct FeatureFlag: Sendable, Hashable {
    let name: FlagName
    let value: JSONValue
    /// 1, 2, … with each change.
    let revision: Int64
    /// When the default applies again; nil: never.
    let expiresAt: Instant?
    let changedAt: Instant
    let changedBy: String
    let reason: String
}

/// All switches that operators changed.
struct FlagSet: Sendable, Hashable {
    var flags: [FlagName: FeatureFlag] = [:]

    /// The value that holds at a time.
    func value(_ name: FlagName, at now: Instant) -> JSONValue {
        guard let flag = flags[name], flag.expiresAt.map({ $0 > now }) ?? true else { return name.defaultValue }
        return flag.value
    }

    /// Whether a switch is on.
    func isOn(_ name: FlagName, at now: Instant) -> Bool { value(name, at: now) == .bool(true) }

    /// A switch for operators.
    func json(_ name: FlagName, at now: Instant) -> JSONValue {
        let flag = flags[name]
        return .record([
            "name": .text(name.rawValue), "value": value(name, at: now), "default": name.defaultValue,
            "revision": .integer(flag?.revision ?? 0), "expiresAt": flag?.expiresAt.map { .text($0.rfc3339) },
            "changedAt": flag.map { .text($0.changedAt.rfc3339) }, "changedBy": flag.map { .text($0.changedBy) },
            "reason": flag.map { .text($0.reason) },
        ])
    }
}
