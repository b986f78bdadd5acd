// Starts and single ends: requests for one device that no walk makes.

internal import HTTP2
internal import Logging
public import ScoreTypes

extension Dispatcher {
    /// Starts activities on phones whose app is asleep, each at most once by this call.
    public func start(_ starts: [PushStart], with content: StartContent) {
        var bodies: [PushStart.Subscription: SharedBytes] = [:]
        var requests: [LaneRequest] = []
        for start in starts where start.environment == configuration.environment {
            guard let body = bodies[start.subscription] ?? encode(content, start.subscription) else { continue }
            bodies[start.subscription] = body
            requests.append(
                LaneRequest(
                    target: .token(start.token, device: start.device, generation: start.generation),
                    match: content.match,
                    revision: content.revision.number,
                    kind: .start,
                    priority: .ten,
                    body: body
                )
            )
        }
        let wanted = requests
        onLane { $0.send(wanted) }
    }

    /// Ends single activities.
    public func end(_ ends: [PushEnd]) {
        let requests = ends.compactMap { end -> LaneRequest? in
            guard end.environment == configuration.environment, let body = try? Envelope.end(end.content) else {
                return nil
            }
            return LaneRequest(
                target: .token(end.token, device: end.device, generation: end.generation),
                match: end.content.match,
                revision: end.content.revision.number,
                kind: .end,
                priority: .five,
                body: SharedBytes(body)
            )
        }
        onLane { $0.send(requests) }
    }

    /// Ends everything on a channel with the state to leave behind.
    public func end(channel: ChannelID, with content: EndContent) {
        guard let body = try? Envelope.end(content) else { return }
        let request = LaneRequest(
            target: .channel(channel),
            match: content.match,
            revision: content.revision.number,
            kind: .end,
            priority: .five,
            body: SharedBytes(body)
        )
        onLane { $0.send([request]) }
    }

    private func encode(_ content: StartContent, _ subscription: PushStart.Subscription) -> SharedBytes? {
        do throws(PayloadError) {
            return SharedBytes(try Envelope.start(content, subscription: subscription))
        } catch {
            log.error("start not sent", metadata: ["match.id": "\(content.match)", "error": "\(error)"])
            return nil
        }
    }
}
