// One accepted reply is one transaction: all of it happened, or none of it.

internal import MatchEngine
public import Postgres
internal import ScoreTypes

extension Journal {
    /// Appends changes and the publication at their head, and wakes the publishers of all nodes.
    ///
    /// `aps.timestamp` is taken here, on Postgres' clock: one more than the last at least (DESIGN section 2).
    ///
    /// - Parameters:
    ///   - append: The rows; an append without changes writes nothing and returns the head.
    ///   - fence: Term and lease of the writer, checked inside the transaction; nil for a writer that has no rival.
    /// - Returns: The new head.
    /// - Throws: `JournalError`: `fenced`, `conflict` when the head is not the expected one, `unknownMatch`,
    ///   `postgres`.
    public func append(_ append: JournalAppend, fence: Fence?) async throws(JournalError) -> JournalHead {
        do {
            let rows = try AppendRows(append)
            return try await pool.transaction { connection in
                try fence?.check(on: connection)
                return try rows.write(on: connection)
            }
        } catch { throw JournalError(error) }
    }
}

/// An append in the form of its rows, so that nothing is encoded while the match's row is locked.
private struct AppendRows: Sendable {
    let append: JournalAppend
    let bodies: [[UInt8]]

    init(_ append: JournalAppend) throws {
        self.append = append
        bodies = try append.changes.map(ChangeCoding.encode)
    }

    func write(on connection: isolated Connection) throws -> JournalHead {
        let match = Bind.text(append.match.text)
        guard let found = try connection.query(SQL.lock, [match], decode: { try $0.int(0) }).first else {
            throw JournalError.unknownMatch
        }
        guard found == append.expected else {
            throw JournalError.conflict(expected: append.expected, found: found)
        }
        if append.changes.isEmpty { return try only(connection.query(SQL.head, [match], decode: SQL.head)) }
        try connection.execute(
            SQL.insertEntries,
            [
                match, .int(append.expected), .texts(append.changes.map(\.kindWord)),
                .optionalTexts(append.changes.map(\.itemKey)), .jsons(bodies), .text(append.source.provider),
                .text(append.source.feed), .timestamp(append.seenAt),
            ]
        )
        let head = try only(
            connection.query(
                SQL.moveHead,
                [
                    match, .int(append.revision), .smallint(append.facts.phase.stored),
                    append.facts.startsAt.map(Bind.timestamp) ?? .null, .json(append.facts.summary),
                    .bool(append.source.endsSilence), .text(append.source.feed),
                    append.epoch.map { .text($0.text) } ?? .null,
                ],
                decode: SQL.head
            )
        )
        try connection.execute(
            SQL.insertPublication,
            [
                match, .int(append.revision), .int(head.apnsTimestamp), .timestamp(append.seenAt),
                .smallint(Int16(append.priority.rawValue)), append.alertKey.map { .text($0.text.withoutNul) } ?? .null,
                .text(append.cause.rawValue),
            ]
        )
        if !append.announced.isEmpty {
            try connection.execute(
                SQL.insertAnnounced,
                [
                    match, .int(append.revision), .texts(append.announced.map(\.key.text.withoutNul)),
                    .texts(append.announced.map(\.subject.withoutNul)),
                ]
            )
        }
        _ = try connection.query(SQL.notify, [match], decode: { _ in () })
        return head
    }

    private func only(_ heads: [JournalHead]) throws -> JournalHead {
        guard let head = heads.first else { throw JournalError.unknownMatch }
        return head
    }
}
