// The routes by which operators help one person: their device, its activities and its streams.

import HTTPTypes

extension AdminRoute {
    static let findDevices = read("devices.read", "/devices", query: ["fingerprint", "id", "after"])
    static let device = read("device.read", "/devices/{id}")
    static let blockDevice = write("device.block", "/devices/{id}/block", .administer)
    static let unblockDevice = write("device.unblock", "/devices/{id}/unblock", .administer)
    static let revokeDevice = write("device.revoke", "/devices/{id}/revoke", .administer)
    static let eraseDevice = write("device.erase", "/devices/{id}", .administer, by: .delete).destructive
    static let setTester = write("device.tester", "/devices/{id}/tester", .administer).withBody
    static let testPush = write("device.test-push", "/devices/{id}/test-push", .operate)
    static let endActivity = write("device.end-activity", "/devices/{id}/end-activity", .administer).withBody
        .destructive
    static let activities = read(
        "activities.read",
        "/activities",
        query: ["state", "match", "device", "confirmedLagGt", "after", "limit"]
    )
    static let streams = read("streams.read", "/streams", query: StreamChoice.names + ["after", "limit"])
    static let disconnectStreams = write("streams.disconnect", "/streams/disconnect", .operate).withBody

    static let devicesPage = page("devices", "/devices", query: ["q", "after"])
    static let devicePage = page("device", "/devices/{id}")
    static let activitiesPage = page("activities", "/activities", query: ["state", "match", "device", "after"])
    static let streamsPage = page("streams", "/streams", query: StreamChoice.names + ["after"])

    /// All of them.
    static let people = [
        findDevices, device, blockDevice, unblockDevice, revokeDevice, eraseDevice, setTester, testPush, endActivity,
        activities, streams, disconnectStreams, devicesPage, devicePage, activitiesPage, streamsPage,
    ]
}
