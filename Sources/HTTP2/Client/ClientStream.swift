// What a client remembers of one request; kept in a table whose places are used again.

/// One request under way.
struct ClientStream {
    let tag: UInt64
    let deadline: Duration
    var streamID: Int32
    var template: HeaderTemplate?
    var body: SharedBytes?
    var sentOfBody = 0
    /// Whether the request's headers went into a packet: from then on it may have been processed.
    var wasSent = false
    /// Whether its owner was told already, as after a timeout.
    var isSettled = false
    var status = 0
    var headers = HeaderBlock()
    var answer: [UInt8] = []
}

/// Streams by place; the place is what nghttp2 keeps for each stream.
struct ClientStreamTable {
    private(set) var streams: [ClientStream?] = []
    private var free: [Int] = []
    private(set) var count = 0

    mutating func add(_ stream: ClientStream) -> Int {
        count += 1
        if let place = free.popLast() {
            streams[place] = stream
            return place
        }
        streams.append(stream)
        return streams.count - 1
    }

    mutating func remove(_ place: Int) -> ClientStream? {
        guard streams.indices.contains(place), let stream = streams[place] else { return nil }
        streams[place] = nil
        free.append(place)
        count -= 1
        return stream
    }

    subscript(place: Int) -> ClientStream? {
        get { streams.indices.contains(place) ? streams[place] : nil }
        _modify { yield &streams[place] }
    }
}
