// An operator tests the way to one phone: one notification is sent once, and APNs' answer is returned.

internal import HTTP2
public import ScoreTypes

/// APNs' answer to a test.
public struct TestAnswer: Sendable, Hashable {
    /// Accepted, rejected or failed.
    public let outcome: PushOutcome
    /// HTTP status; 0 without an answer.
    public let status: Int
    /// APNs' reason.
    public let reason: APNsReason
    /// The `apns-id` of the request.
    public let requestID: String
}

extension Dispatcher {
    /// Sends one notification to one device, at priority 10 and without a repetition.
    ///
    /// - Returns: The answer; without one in time, such as in an environment that is paused, a failed one with status
    ///   0. Nil when the environment of the token is not configured.
    /// - Throws: `PayloadError.tooLarge`.
    public func test(
        _ recipient: PushRecipient,
        of match: MatchID,
        _ payload: [UInt8]
    ) async throws(PayloadError) -> TestAnswer? {
        guard configuration.environments[recipient.environment] != nil else { return nil }
        let body = BodyBytes(try Envelope.notification(payload))
        let (ticket, now) = (nextTicket(), clock.wall)
        let seed = RequestSeed(match: match, revision: now.milliseconds, kind: .alert, key: idKey)
        let push = DirectedPush(
            ticket: ticket,
            kind: .alert,
            match: match,
            target: .init(recipient),
            body: body,
            priority: .ten,
            expiration: (now + PushLimits.alertLifetime).seconds,
            seed: seed,
            whenAmbiguous: .giveUp,
            repeatsWhenFailed: false
        )
        let result = await withCheckedContinuation { continuation in
            awaited[ticket] = continuation
            distribute([(recipient, push)])
            Task {
                try? await Task.sleep(for: PushLimits.testAnswerTime)
                await giveUp(ticket)
            }
        }
        let requestID = withUnsafeTemporaryAllocation(byteCount: RequestSeed.textByteCount, alignment: 16) { text in
            guard let start = text.baseAddress else { return "" }
            seed.write(recipient.device, generation: recipient.generation, into: start)
            return String(decoding: text, as: UTF8.self)
        }
        return TestAnswer(
            outcome: result?.outcome ?? .failed(.ambiguous),
            status: result?.answer.status ?? 0,
            reason: result?.answer.reason ?? .transport,
            requestID: requestID
        )
    }

    /// Ends the wait for an answer; a request that waits for a stream is not sent any more.
    private func giveUp(_ ticket: UInt64) async {
        guard let continuation = awaited.removeValue(forKey: ticket) else { return }
        continuation.resume(returning: nil)
        for lane in lanes { await lane.withdraw([ticket]) }
    }
}
