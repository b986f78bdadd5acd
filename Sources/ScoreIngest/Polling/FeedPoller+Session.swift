// A feed is opened before its first request: it signs in, and reads the tables that replies refer to.

internal import MatchEngine
internal import Providers
internal import ScoreTypes

extension FeedPoller {
    /// The session of the feed, opened if need be; else the real time until there may be one.
    func session() async -> Result<ProviderSession, Postponed> {
        while true {
            switch state.gate.findSession(context) {
            case .use(let session): return .success(session)
            case .wait(let wait): return .failure(Postponed(wait: wait))
            case .join: await withCheckedContinuation { openers.append($0) }
            case .open:
                await open()
                for opener in openers { opener.resume() }
                openers = []
            }
            if Task.isCancelled { return .failure(Postponed(wait: IngestLimits.standbyInterval)) }
        }
    }

    /// Nothing can be requested before this real time has passed.
    struct Postponed: Error { let wait: Duration }

    /// Signs in and reads the tables.
    private func open() async {
        var store = PartStore()
        let requests = feed.adapter.opening(feed.credentials)
        for request in requests {
            let outcome = await fetch(request, of: nil, for: .background, etag: nil)
            switch outcome {
            case .body(let body, _):
                telemetry.answered(outcome)
                store.take(body, etag: nil, of: request.part)
            case .notModified: break
            // Tables that are held are better than an opening without this one.
            case .failed(let failure)
            where request.isOptional && state.gate.session.session == nil && !failure.isAboutClient: continue
            case .failed(let failure): return openingFailed(failure)
            case .refused: return openingFailed(nil)
            }
        }
        do throws(AdapterError) {
            let session = try feed.adapter.session(store.replies, feed.credentials, at: clock.wall)
            state.gate.session.opened(session, context)
            if let token = session.token { secrets.take(token) }
            let kept = ProviderSession(
                project: session.project,
                token: session.token,
                expiresAt: session.expiresAt,
                tables: session.tables.withoutSignIn(requests)
            )
            capture(.session(feed.source, kept))
            if let first = session.doubts.first { unreadable(first, nil, kept.tables) }
            telemetry.entriesUnreadable(session.doubts.count - 1)
        } catch {
            unreadable(error, nil, store.replies.withoutSignIn(requests))
            openingFailed(nil)
        }
    }

    private func openingFailed(_ failure: FetchFailure?) {
        telemetry.notOpened(state.gate.session.failed(failure, context))
    }
}

extension ProviderReplies {
    /// The replies that captures may have: the answer to a sign-in may hold a token that was not read, and what is not
    /// known cannot be struck out.
    fileprivate func withoutSignIn(_ opening: [ProviderRequest]) -> ProviderReplies {
        var kept = self
        for request in opening where request.isSignIn { kept[request.part] = nil }
        return kept
    }
}
