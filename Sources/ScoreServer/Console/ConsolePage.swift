// Every page of the console has the same frame: navigation, title, content and the dialog for acts.

import Hummingbird
import Mustache
import ScoreTypes

/// The content of one page.
struct ConsoleView {
    let title: String
    /// The template of the content.
    let template: String
    let context: [String: Any]
    /// The status of the page's subject, and the colour that it has; nil without a status.
    var state: (text: String, tone: String)?
    /// Whether the page follows changes without a reload.
    var isLive = true
}

/// The groups of the navigation.
enum ConsoleGroup: String, CaseIterable {
    case play = "Play"
    case phones = "Phones"
    case fleet = "Fleet"
    case record = "Record"
}

/// The pages that the navigation names.
enum ConsoleSection: String, CaseIterable {
    case overview, matches, feeds, alerts, push, apns, pushes
    case deadLetters = "dead-letters"
    case devices, activities, streams, sweeps, nodes, flags, configuration, audit, runbooks

    var path: String { self == .overview ? "/admin" : "/admin/\(rawValue)" }

    var name: String {
        switch self {
        case .overview: "Overview"
        case .matches: "Matches"
        case .feeds: "Feeds"
        case .alerts: "Alerts"
        case .push: "Push pipeline"
        case .apns: "APNs"
        case .pushes: "Push attempts"
        case .deadLetters: "Dead letters"
        case .devices: "Devices"
        case .activities: "Activities"
        case .streams: "Streams"
        case .sweeps: "Sweeps"
        case .nodes: "Nodes"
        case .flags: "Switches"
        case .configuration: "Settings"
        case .audit: "Audit log"
        case .runbooks: "Runbooks"
        }
    }

    /// The group of the navigation.
    var group: ConsoleGroup {
        switch self {
        case .overview, .matches, .feeds, .alerts: .play
        case .push, .apns, .pushes, .deadLetters, .devices, .activities, .streams: .phones
        case .sweeps, .nodes, .flags, .configuration: .fleet
        case .audit, .runbooks: .record
        }
    }

    /// The key that opens the page after `g`, one for each page.
    var key: String {
        switch self {
        case .overview: "o"
        case .matches: "m"
        case .feeds: "f"
        case .alerts: "i"
        case .push: "p"
        case .apns: "n"
        case .pushes: "u"
        case .deadLetters: "x"
        case .devices: "d"
        case .activities: "a"
        case .streams: "t"
        case .sweeps: "s"
        case .nodes: "e"
        case .flags: "w"
        case .configuration: "c"
        case .audit: "l"
        case .runbooks: "r"
        }
    }
}

/// Renders pages; Mustache escapes every value, and the policy of a page runs no other script.
struct ConsolePage: Sendable {
    private let library: MustacheLibrary
    private let style = ConsoleFiles.text("console.css")
    private let script = ConsoleFiles.text("console.js")

    init() throws {
        var library = MustacheLibrary()
        for name in ConsoleFiles.templates {
            try library.register(ConsoleFiles.text("\(name).mustache"), named: name)
        }
        self.library = library
    }

    /// The content of a page alone, for a page that is shown again.
    func content(of view: ConsoleView) -> String { library.render(view.context, withTemplate: view.template) ?? "" }

    /// A page in its frame.
    func answer(_ view: ConsoleView, in section: ConsoleSection, for user: AdminPrincipal) -> Response {
        let nonce = Answer.nonce()
        var frame: [String: Any] = [
            "title": view.title, "nonce": nonce, "style": style, "script": script, "isLive": view.isLive,
            "user": "\(user.name), \(user.role.rawValue)", "isSession": user.isSession && user != .demo,
            "version": ScoreServerCommand.version,
            "content": content(of: view),
            "groups": Self.navigation(at: section),
        ]
        if let state = view.state { frame["state"] = ["text": state.text, "tone": state.tone] }
        return Answer.page(
            library.render(frame, withTemplate: "layout") ?? "",
            policy: Self.policy(nonce: nonce)
        )
    }

    /// The pages by group; a group without pages is left out.
    private static func navigation(at section: ConsoleSection) -> [[String: Any]] {
        ConsoleGroup.allCases.compactMap { group in
            let pages = ConsoleSection.allCases.filter { $0.group == group }.map { page -> [String: Any] in
                ["path": page.path, "name": page.name, "key": page.key, "isCurrent": page == section]
            }
            return pages.isEmpty ? nil : ["group": group.rawValue, "pages": pages]
        }
    }

    /// The page for a token; it leads to `next`.
    func signIn(next: String, problem: String? = nil) -> Response {
        let nonce = Answer.nonce()
        var context: [String: Any] = ["nonce": nonce, "style": style, "next": next]
        context["problem"] = problem
        return Answer.page(library.render(context, withTemplate: "enter") ?? "", policy: Self.policy(nonce: nonce))
    }

    /// The content security policy: scripts and styles need the nonce, and requests go to this host only.
    static func policy(nonce: String) -> String {
        "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; img-src 'self' data:; "
            + "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
    }
}
