// Apple's list of channels, compared with the records after a crash.

internal import ScoreTypes

enum ChannelList {
    /// The strings of the array `channels`; strings that are not channel ids are omitted.
    ///
    /// Nil if there is no such array: an empty list would mean that all channels are lost.
    static func channels(in json: [UInt8]) -> [ChannelID]? {
        let text = String(decoding: json, as: UTF8.self)
        guard let key = text.firstRange(of: "\"channels\""), let open = text[key.upperBound...].firstIndex(of: "["),
            let close = text[open...].firstIndex(of: "]")
        else { return nil }
        let items = text[text.index(after: open)..<close].split(separator: "\"", omittingEmptySubsequences: false)
        // Ids are between quotes, at odd indexes; commas are at even ones.
        return items.enumerated().filter { !$0.offset.isMultiple(of: 2) }.compactMap { item in
            ChannelID(String(item.element.filter { $0 != "\\" }))
        }
    }
}
