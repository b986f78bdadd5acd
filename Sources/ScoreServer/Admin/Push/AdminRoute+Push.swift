// The routes about pushes: the environments of APNs, what waits, single pushes, and what was given up.

extension AdminRoute {
    static let apns = read("apns.read", "/apns")
    static let pauseAPNs = write("apns.pause", "/apns/{id}/pause", .operate).withBody
    static let resumeAPNs = write("apns.resume", "/apns/{id}/resume", .operate)
    static let resetAPNs = write("apns.reset-breaker", "/apns/{id}/reset-breaker", .operate)
    static let probeAPNs = write("apns.probe", "/apns/{id}/probe", .operate)
    static let reloadKey = write("apns.reload-key", "/apns/reload-key", .administer)
    static let queues = read("queues.read", "/queues")
    static let pushes = read("pushes.read", "/pushes", query: PushFilter.names)
    static let push = read("push.read", "/pushes/{id}")
    static let deadLetters = read("dead-letters.read", "/dead-letters")
    static let discardDeadLetters = write("dead-letters.discard", "/dead-letters/discard", .operate).withBody

    /// All of them.
    static let pushRoutes = [
        apns, pauseAPNs, resumeAPNs, resetAPNs, probeAPNs, reloadKey, queues, pushes, push, deadLetters,
        discardDeadLetters,
    ]
}
