// One request that reaches everybody who listens to a channel.

import HTTP2
import ScoreTypes

extension PushGateway {
    func broadcast(_ request: borrowing ServerRequest, _ headers: PushHeaders, _ now: Instant) throws(PushRefusal) {
        guard request.path.equals(broadcastPath) else { throw .topicDisallowed }
        guard state.directory.hasBroadcastCapability else { throw .featureNotEnabled }
        let wanted = try BroadcastRequestCheck.check(headers)
        let count = request.isBodyTruncated ? .max : request.body.count
        try BroadcastRequestCheck.check(wanted, policy: state.directory.policy(of: wanted.channel), bodyCount: count)
        try checkRate(of: Array(wanted.channel.text.utf8))
        let payload = inspector.inspect(request.body)
        let trap = Self.trap(payload, now)
        let recipient = Array(wanted.channel.text.utf8)
        accept(payload, for: recipient, priority: wanted.priority, trap: trap, at: now, headers)
        answer(request.stream, 200, headers, body: nil)
        guard trap == nil, let event = payload.event else { return }
        let push = DeliveredPush(payload, event, headers, priority: wanted.priority, channel: wanted.channel, at: now)
        let phones = state.directory.publish(push, on: wanted.channel, until: wanted.expiration, now: now.seconds)
        arrive { for deliver in phones.values { deliver(push) } }
    }

    private static func trap(_ payload: InspectedPayload, _ now: Instant) -> String? {
        if let trap = payload.trap(now: now.seconds) { return trap }
        switch payload.event {
        case .update, .end: break
        case .start: return "start by broadcast"
        default: return "no event of a Live Activity"
        }
        // ActivityKit drops what is larger, whatever the channel takes.
        return payload.body.count > SimulatorLimits.devicePayloadBytes ? "larger than ActivityKit allows" : nil
    }
}
