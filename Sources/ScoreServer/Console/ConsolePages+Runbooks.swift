// The runbooks as pages, so that an alert leads to one without another server.

extension ConsolePages {
    /// All runbooks with their alerts.
    func runbooks() -> ConsoleView {
        let rows = Runbook.all.map { runbook -> [String: Any] in
            ["name": runbook.name, "title": runbook.title, "alerts": runbook.alerts]
        }
        return ConsoleView(title: "Runbooks", template: "runbooks", context: ["runbooks": rows], isLive: false)
    }

    /// One runbook; nil when there is none of that name.
    func runbook(_ name: String) -> ConsoleView? {
        guard let runbook = Runbook.all.first(where: { $0.name == name }) else { return nil }
        return ConsoleView(
            title: runbook.title,
            template: "runbook",
            context: ["alerts": runbook.alerts, "blocks": runbook.blocks.map(Self.block)],
            isLive: false
        )
    }

    private static func block(_ block: Runbook.Block) -> [String: Any] {
        switch block {
        case .heading(let text): ["heading": text]
        case .paragraph(let spans): ["paragraph": ["spans": spans.map(span)]]
        case .list(let items, let isOrdered):
            [isOrdered ? "steps" : "points": ["items": items.map { ["spans": $0.map(span)] }]]
        }
    }

    private static func span(_ span: Runbook.Span) -> [String: Any] {
        if span.isCode { return ["code": span.text] }
        return span.runbook.map { ["link": ["name": $0, "text": span.text]] } ?? ["text": span.text]
    }
}
