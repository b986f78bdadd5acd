// A phone shows a day only when the feed has stated one, or when no night can have passed unseen (cricket.md C.13).

/// The day of a match of several days.
struct MatchDay {
    /// The day, from 1; after stumps the day that has ended.
    let number: Int

    /// Derives the day; nil where it is not certain.
    ///
    /// A stated day counts on from stumps to stumps. Without one the record has to be complete, and the feed has to
    /// have reported stumps, or the times of the balls have to show that no night has passed.
    init?(_ record: MatchRecord, rules: RuleSet) {
        let history = record.statusHistory
        let counted = history.daysCounted
        guard rules.hasTwoInnings else { return nil }
        if let before = history.daysBefore {
            guard counted + before > 0 else { return nil }
            number = counted + before
            return
        }
        guard history.isComplete, counted > 0, Self.beginsOnItsFirstDay(record) else { return nil }
        let elapsed = Self.days(of: record)
        guard elapsed == counted || elapsed == nil && history.daysEnded > 0 else { return nil }
        number = counted
    }

    /// Whether the first ball was bowled on the scheduled day; true where a time is unknown.
    ///
    /// Rain may take the whole first day, and some feeds report no stumps for it.
    private static func beginsOnItsFirstDay(_ record: MatchRecord) -> Bool {
        guard let start = record.info?.startsAt, let first = record.deliveries.first?.occurredAt else { return true }
        let (seconds, isOutOfRange) = first.subtractingReportingOverflow(start)
        return !isOutOfRange && (-secondsOfDay / 2..<secondsOfDay / 2).contains(seconds)
    }

    /// Days from the first ball to the newest one, both included; nil where a ball has no time.
    ///
    /// Play begins at nearly the same time each day and lasts less than half of a day.
    private static func days(of record: MatchRecord) -> Int? {
        guard let first = record.deliveries.first?.occurredAt, let last = record.deliveries.last?.occurredAt else {
            return nil
        }
        let (seconds, isOutOfRange) = last.subtractingReportingOverflow(first)
        guard !isOutOfRange, (0...EngineLimits.matchSeconds).contains(seconds) else { return nil }
        return 1 + Int((seconds + secondsOfDay / 2) / secondsOfDay)
    }

    private static let secondsOfDay: Int64 = 86_400
}

/// The day that a report states.
struct StatedDay {
    /// The day, 1 to 9.
    let number: Int

    /// The day by the feed's field, else by its note; nil where it states none.
    ///
    /// A note that was there before the report may be of the day before.
    init?(_ report: StatusReport, after old: StatusReport) {
        if let day = report.day, Self.range.contains(day) {
            number = day
        } else if let note = report.note, note != old.note, let day = Self.day(in: note) {
            number = day
        } else {
            return nil
        }
    }

    private static let range = 1...9
    /// Words of a note about a day that is to come.
    private static let announcing: Set<Substring> = [
        "resume", "resumes", "start", "starts", "begin", "begins", "tomorrow", "next", "reserve", "until", "will",
    ]

    /// The day number in a feed's free text: 3 in `Stump Day 3` or `Day 3, session 2`; nil where several are named.
    private static func day(in note: String) -> Int? {
        let words = note.prefix(EngineLimits.Text.dayNote).lowercased().split { !$0.isLetter && !$0.isNumber }
        guard announcing.isDisjoint(with: words) else { return nil }
        let days = zip(words, words.dropFirst()).compactMap { $0 == "day" ? Int($1) : nil }
        guard let day = days.first, days.allSatisfy({ $0 == day }), range.contains(day) else { return nil }
        return day
    }
}
