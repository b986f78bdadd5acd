// Encodes requests: headers once for a publication, path and id for each request.

internal import HTTP2
internal import ScoreTypes

extension EnvironmentLane {
    /// Submits a directed request; if the link refuses it, returns false and the request waits for another try.
    func submit(_ push: DirectedPush, on link: Link) -> Bool {
        var push = push
        push.firstSentAt = push.firstSentAt ?? context.now
        let flight = Flight(push, sentAt: context.now, tokenVersion: tokenVersion)
        let tag = flights.add(flight)
        guard let connection = link.connection, submit(push, tag: tag, on: connection) else {
            _ = flights.take(tag)
            again(push, after: .milliseconds(10), else: .unsent)
            return false
        }
        link.submittedDirected()
        breaker.sent()
        if push.attempt > 0 { counts.retries += 1 }
        return true
    }

    private func submit(_ push: DirectedPush, tag: UInt64, on connection: any LinkConnection) -> Bool {
        switch push.target {
        case .device(let device, let generation, let token):
            connection.submit(
                path: token.bytes.withUnsafeBytes { buffer.path(of: $0) },
                fixed: directedTemplate(push),
                extra: ExtraHeader("apns-id", buffer.id(push.seed, device, generation)),
                body: push.body,
                tag: tag
            )
        case .channel(let channel):
            Array(setting.configuration.broadcastPath.utf8).withUnsafeBytes { path in
                connection.submit(
                    path: path,
                    fixed: channelTemplate(channel, push),
                    extra: ExtraHeader("apns-request-id", buffer.id(push.seed, DeviceID(high: 0, low: push.ticket), 0)),
                    body: push.body,
                    tag: tag
                )
            }
        }
    }

    /// The headers of the current publication's requests.
    func headers(of match: MatchLane, _ encoded: EncodedPublication) -> MatchLane.Headers {
        if let known = match.headers, known.encoded === encoded, known.tokenVersion == tokenVersion,
            context.now < known.renewedAt
        {
            return known
        }
        let now = setting.clock.wall
        let lifetime = min(encoded.lifetime(withAlert: false), encoded.lifetime(withAlert: true))
        let renewedAt = context.now + lifetime / 2
        let made = MatchLane.Headers(encoded, tokenVersion: tokenVersion, renewedAt: renewedAt) { hasAlert, priority in
            deviceTemplate(encoded.kind, priority, expiration: (now + encoded.lifetime(withAlert: hasAlert)).seconds)
        }
        if match.headers?.encoded !== encoded { match.hasSentFirst = false }
        match.headers = made
        return made
    }

    private func deviceTemplate(
        _ kind: PayloadKind,
        _ priority: PushPriority,
        expiration: Int64,
        collapseID: String? = nil
    ) -> HeaderTemplate {
        let configuration = setting.configuration
        let (topic, pushType) =
            switch kind {
            case .update, .start, .end: (configuration.activityTopic, "liveactivity")
            case .alert: (configuration.bundleID, "alert")
            case .background: (configuration.bundleID, "background")
            case .widgets: (configuration.widgetTopic, "widgets")
            }
        let collapse = collapseID.map { [HeaderField("apns-collapse-id", $0)] } ?? []
        return template(
            endpoints.push,
            [
                HeaderField("apns-topic", topic), HeaderField("apns-push-type", pushType),
                HeaderField("apns-priority", String(priority.rawValue)),
                HeaderField("apns-expiration", String(expiration)),
            ] + collapse
        )
    }

    /// Headers of a directed request, cached since thousands of notifications differ only in their path.
    private func directedTemplate(_ push: DirectedPush) -> HeaderTemplate {
        let key = DirectedHeaders(
            kind: push.kind,
            priority: push.priority,
            expiration: push.expiration,
            collapseID: push.collapseID,
            tokenVersion: tokenVersion
        )
        if let known = directedHeaders, known.key == key { return known.template }
        let made = deviceTemplate(
            push.kind,
            push.priority,
            expiration: push.expiration,
            collapseID: push.collapseID
        )
        directedHeaders = (key, made)
        return made
    }

    private func channelTemplate(_ channel: ChannelID, _ push: DirectedPush) -> HeaderTemplate {
        template(
            endpoints.broadcast,
            [
                HeaderField("apns-channel-id", channel.text), HeaderField("apns-push-type", "liveactivity"),
                HeaderField("apns-priority", String(push.priority.rawValue)),
                HeaderField("apns-expiration", String(push.expiration)),
            ]
        )
    }

    private func template(
        _ endpoint: DispatcherConfiguration.Endpoint,
        _ fields: [HeaderField]
    ) -> HeaderTemplate {
        let authorization = HeaderField("authorization", "bearer " + (providerToken?.text ?? ""))
        return HeaderTemplate(authority: endpoint.authority, fields: [authorization] + fields)
    }
}

/// The fields that the headers of directed requests depend on.
struct DirectedHeaders: Equatable {
    let kind: PayloadKind
    let priority: PushPriority
    let expiration: Int64
    let collapseID: String?
    let tokenVersion: Int
}
