// Apple's list of channels, to be held against the records after a crash.

internal import ScoreTypes

enum ChannelList {
    /// The strings of the array `channels`; what is not a channel's name is left out.
    ///
    /// Nil when there is no such array: an empty list would say that all channels are lost.
    static func channels(in json: [UInt8]) -> [ChannelID]? {
        let text = String(decoding: json, as: UTF8.self)
        guard let key = text.firstRange(of: "\"channels\""), let open = text[key.upperBound...].firstIndex(of: "["),
            let close = text[open...].firstIndex(of: "]")
        else { return nil }
        let items = text[text.index(after: open)..<close].split(separator: "\"", omittingEmptySubsequences: false)
        // Between quotes stand the names; at even places the commas.
        return items.enumerated().filter { !$0.offset.isMultiple(of: 2) }.compactMap { item in
            ChannelID(String(item.element.filter { $0 != "\\" }))
        }
    }
}
