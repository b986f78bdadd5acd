// A start as a request of ActivityKit, and ActivityKit's refusals as errors of the client.
#if canImport(ActivityKit) && os(iOS)
    internal import ActivityKit
    internal import Foundation
    internal import LiveSurface
    internal import ScoreClient

    @available(iOS 16.2, *)
    extension ActivityStart {
        /// Requests the activity.
        ///
        /// - Throws: `ActivityStartError` for what this system cannot do, else ActivityKit's error.
        func request() throws -> Activity<LiveActivityAttributes> {
            let content = ActivityContent(state: state, staleDate: staleAt.date, relevanceScore: relevance)
            guard let startAt else {
                return try Activity.request(attributes: attributes, content: content, pushType: pushType())
            }
            guard #available(iOS 26.0, *) else { throw ActivityStartError.cannotSchedule }
            let (title, body) = alertTexts
            return try Activity.request(
                attributes: attributes,
                content: content,
                pushType: pushType(),
                style: .standard,
                alertConfiguration: AlertConfiguration(title: "\(title)", body: "\(body)", sound: .default),
                start: startAt.date
            )
        }

        /// The channel, else a token.
        private func pushType() throws(ActivityStartError) -> PushType {
            guard let channelID else { return .token }
            guard #available(iOS 18.0, *) else { throw .unsupported }
            return .channel(channelID)
        }
    }

    @available(iOS 16.2, *)
    extension ActivityStartError {
        /// The reaction to a refusal of ActivityKit.
        init(_ error: ActivityAuthorizationError) {
            switch error {
            case .attributesTooLarge: self = .tooLarge
            case .denied: self = .denied
            case .targetMaximumExceeded: self = .tooManyOfApp
            case .globalMaximumExceeded: self = .tooManyOfSystem
            case .visibility: self = .notInForeground
            case .unsupported, .unsupportedTarget: self = .unsupported
            case .unentitled: self = .notEntitled
            case .malformedActivityIdentifier, .missingProcessIdentifier, .persistenceFailure, .reconnectNotPermitted:
                self = .systemFailure
            @unknown default: self = .systemFailure
            }
        }
    }
#endif
