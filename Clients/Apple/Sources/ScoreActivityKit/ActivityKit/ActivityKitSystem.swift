// ActivityKit as the system of activities; nothing is decided here, since only Apple's SDK compiles it.
#if canImport(ActivityKit) && os(iOS)
    internal import ActivityKit
    internal import Foundation
    internal import LiveSurface
    internal import ScoreClient

    /// The activities of ActivityKit.
    @available(iOS 16.2, *)
    struct ActivityKitSystem: ActivitySystem {
        var activities: [ActivityKitActivity] {
            Activity<LiveActivityAttributes>.activities.map(ActivityKitActivity.init)
        }

        func request(_ start: ActivityStart) throws(ActivityStartError) -> ActivityKitActivity {
            do {
                return ActivityKitActivity(activity: try start.request())
            } catch let error as ActivityStartError {
                throw error
            } catch let error as ActivityAuthorizationError {
                throw ActivityStartError(error)
            } catch {
                throw .systemFailure
            }
        }

        func eachActivity(_ body: @escaping @Sendable (ActivityKitActivity) async -> Void) async {
            // The updates name new activities only. Their iterator exists before the list is read, so that no start
            // falls between both.
            var updates = Activity<LiveActivityAttributes>.activityUpdates.makeAsyncIterator()
            for activity in activities { await body(activity) }
            while let activity = await updates.next() { await body(ActivityKitActivity(activity: activity)) }
        }

        func eachStartToken(_ body: @escaping @Sendable (String) async -> Void) async {
            guard #available(iOS 17.2, *) else { return }
            var updates = Activity<LiveActivityAttributes>.pushToStartTokenUpdates.makeAsyncIterator()
            if let token = Activity<LiveActivityAttributes>.pushToStartToken { await body(token.hexadecimal) }
            while let token = await updates.next() { await body(token.hexadecimal) }
        }

        func eachPermission(_ body: @escaping @Sendable (ActivityPermission) async -> Void) async {
            await body(Self.permission)
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    let info = ActivityAuthorizationInfo()
                    for await isEnabled in info.activityEnablementUpdates {
                        let isFrequent = info.frequentPushesEnabled
                        await body(ActivityPermission(liveActivities: isEnabled, frequentPushes: isFrequent))
                    }
                }
                group.addTask {
                    let info = ActivityAuthorizationInfo()
                    for await isFrequent in info.frequentPushEnablementUpdates {
                        let isEnabled = info.areActivitiesEnabled
                        await body(ActivityPermission(liveActivities: isEnabled, frequentPushes: isFrequent))
                    }
                }
            }
        }

        /// The permissions now.
        static var permission: ActivityPermission {
            let info = ActivityAuthorizationInfo()
            return ActivityPermission(
                liveActivities: info.areActivitiesEnabled,
                frequentPushes: info.frequentPushesEnabled
            )
        }
    }

    extension Data {
        /// Lower-case hexadecimal digits.
        var hexadecimal: String {
            reduce(into: "") { text, byte in text += String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }
        }
    }
#endif
