// The feed simulator cuts documents and serves them again, so they are read and written in one place.

internal import ScoreTypes

extension CricsheetDocument {
    /// Reads a document.
    ///
    /// - Throws: `AdapterError` that names the place when the bytes are no document.
    public init(json body: [UInt8]) throws(AdapterError) {
        self = try FeedValue.read(CricsheetDocument.self, from: body)
    }

    /// Writes the document with sorted keys, so that equal documents have equal bytes.
    public func json() -> [UInt8] {
        var json = JSONWriter(reservingBytes: Self.bytesUsual)
        write(to: &json)
        return json.bytes
    }

    /// Room for a day's cricket, in bytes; a longer document takes more.
    private static let bytesUsual = 256 * 1024
}

extension CricsheetDocument: CricsheetPart {
    init(feed: FeedValue) throws(AdapterError) {
        meta = try feed.given("meta")
        info = try feed.need("info")
        innings = try feed.given("innings") ?? []
        live = try feed.given("live")
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.put("info", info)
            json.put("innings", innings)
            json.put("live", live)
            json.put("meta", meta)
        }
    }
}

extension CricsheetDocument.Meta: CricsheetPart {
    init(feed: FeedValue) throws(AdapterError) {
        dataVersion = try feed.given("data_version")
        created = try feed.given("created")
        revision = try feed.given("revision")
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.put("created", created)
            json.put("data_version", dataVersion)
            json.put("revision", revision)
        }
    }
}

extension CricsheetDocument.Live: CricsheetPart {
    init(feed: FeedValue) throws(AdapterError) {
        state = try feed.need("state")
        note = try feed.given("note")
        since = try feed.given("since")
        startsAt = try feed.given("startsAt")
        version = try feed.given("version")
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.put("note", note)
            json.put("since", since)
            json.put("startsAt", startsAt)
            json.put("state", state)
            json.put("version", version)
        }
    }
}
