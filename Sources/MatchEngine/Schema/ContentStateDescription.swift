// Describes the content state, key by key (PUBLICATION section 1).

internal import LiveSurface

/// The objects of the content state.
enum ContentStateDescription {
    private typealias Limit = EngineLimits.Text

    static let objects = [
        SchemaObject(
            "CompactLeading",
            "Dynamic Island, left of the camera: the batting side; before the start the first, then the winner.",
            .required("teamAbbr", abbreviation, "The side."),
            .required("score", .text(most: Limit.score), "87/6, 245 & 87/6; before the start v CSK.")
        ),
        SchemaObject(
            "CompactTrailing",
            "Dynamic Island, right of the camera.",
            .optional("overs", .text(most: Limit.figures), "12.3; in The Hundred balls, 63."),
            .optional("runRate", .text(), "Runs an over, 6.96."),
            .required("text", .text(most: Limit.trailing), "The one text to draw where space is short.")
        ),
        SchemaObject(
            "Minimal",
            "Dynamic Island beside another activity.",
            .required("text", .text(least: 1, most: Limit.minimal), "At most seven characters."),
            .optional("flash", .text(most: Limit.flash), "The last event: W, 4, 6, 50, 100.")
        ),
        SchemaObject(
            "TeamRow",
            "One side, in the order of the attributes' teams.",
            .required("abbr", abbreviation, "The side."),
            .required("score", .text(), "Empty before the side has batted."),
            .optional("overs", .text(most: Limit.figures), "Of the innings shown; in The Hundred balls."),
            .required("batting", .flag, "Whether the side is batting now.")
        ),
        SchemaObject(
            "Batter",
            "A batter at the crease.",
            .required("name", .text(least: 1, most: Limit.name), "The name."),
            .required("runs", .integer(), "Runs made."),
            .required("balls", .integer(least: 0), "Balls faced."),
            .required("onStrike", .flag, "Whether the batter faces next; false for both while that is unknown.")
        ),
        SchemaObject(
            "Bowler",
            "The current or last bowler.",
            .required("name", .text(least: 1, most: Limit.name), "The name."),
            .required("figures", .text(most: Limit.figures), "Wickets and runs, 3/17."),
            .required("overs", .text(most: Limit.figures), "2.3; in The Hundred balls.")
        ),
        SchemaObject(
            "MatchEvent",
            "The moment that this state announces.",
            .required(
                "kind",
                .openWords(Moment.Kind.allCases.map(\.rawValue)),
                "Draw an unknown kind by its text alone."
            ),
            .required("text", .text(most: Limit.event), "The words.")
        ),
        SchemaObject(
            "Expanded",
            "Dynamic Island, held open.",
            .required("teams", .list(.object("TeamRow"), least: 2, most: 2), "Both sides."),
            .optional("batters", .list(.object("Batter"), least: 1, most: 2), "The batters at the crease."),
            .optional("bowler", .object("Bowler"), "The current or last bowler."),
            .optional(
                "recent",
                .list(.text(least: 1), least: 1, most: 10),
                "The last balls, oldest first: . 1 4 6 W wd nb lb2."
            ),
            .required("line", .text(least: 1, most: Limit.line), "The sentence."),
            .optional("event", .object("MatchEvent"), "The moment that this state announces.")
        ),
        SchemaObject(
            "LockScreen",
            "Lock Screen; drawn with the parts of expanded.",
            .required("line", .text(least: 1, most: Limit.lockLine), "The sentence."),
            .optional("sub", .text(most: Limit.sub), "Partnership, last wicket, toss or venue.")
        ),
        SchemaObject(
            "Small",
            "Watch and CarPlay.",
            .required("top", .text(most: Limit.smallRow), "First side."),
            .required("bottom", .text(most: Limit.smallRow), "Second side."),
            .required("line", .text(least: 1, most: Limit.smallLine), "One line.")
        ),
        whole,
    ]

    private static let abbreviation = SchemaType.text(least: 2, most: 4)

    private static let whole = SchemaObject(
        "ContentState",
        "The drawing of a match at one revision. An absent key means that there is nothing to draw.",
        .required(
            "v",
            .numbers(ContentStateVersion.allCases.map(\.rawValue)),
            "The layout; 1 unless the device's registration requests more."
        ),
        .required("rev", .integer(least: 0), "The revision of the match; only grows."),
        .required(
            "matchDisplayState",
            .openWords(MatchDisplayState.allCases.map(\.rawValue)),
            "The drawing to choose; treat an unknown value as live."
        ),
        .required("compactLeading", .object("CompactLeading"), "Dynamic Island, left of the camera."),
        .required("compactTrailing", .object("CompactTrailing"), "Dynamic Island, right of the camera."),
        .required("minimal", .object("Minimal"), "Dynamic Island beside another activity."),
        .required("expanded", .object("Expanded"), "Dynamic Island, held open."),
        .required("lockScreen", .object("LockScreen"), "Lock Screen."),
        .required("small", .object("Small"), "Watch and CarPlay."),
        .optional("progress", .share, "From layout 2 on: how much of the match is played.")
    )
}
