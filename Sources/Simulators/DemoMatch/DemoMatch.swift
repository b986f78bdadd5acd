// The default match of the demo: written for this project, with all kinds of events of a T20 match.

/// A T20 chase of 169 with a hat-trick, two balls put right, a rain break and a finish with one ball to spare.
public enum DemoMatch {
    /// The match and its script; what can be wrong with it is a mistake in the text below, found by its test.
    ///
    /// - Throws: `MatchScriptError` naming the line.
    public static func load() throws(MatchScriptError) -> PlayedMatch {
        try MatchScript.play(text)
    }

    /// One line an over, in the notation of `MatchScript`.
    private static let text = """
        competition Coastal Premier League
        season 2026
        venue Harbour Ground, Kestrel Bay
        date 2026-03-14
        toss Iron Hill field

        team Kestrel Bay: T Vasquez, R Okafor, L Marchetti, D Osei, J Halloran, P Lindqvist, S Adeyemi, K Brandt, \
        M Tolliver, Y Castellano, B Nakamura
        team Iron Hill: A Pemberton, N Voss, C Dlamini, H Rasmussen, F Quillfeather, G Abara, W Stonebridge, \
        I Kowalczyk, E Thackeray, O Ferreira, Z Whitlock

        innings Kestrel Bay
        Ferreira: 4 . wd 1 1 . 2
        Whitlock: 1 . 3 3 4 .
        Thackeray: 3 . 1 4>6 . .
        Ferreira: 4 1 3 . 1 1
        Kowalczyk: Wc=Abara 1 1 . . 4
        Whitlock: . . 4 . 1 6
        Stonebridge: lb1 2 6 6 1 1
        Kowalczyk: 3 1 1 Wlbw . 2
        Abara: . 1 . 4 1 1
        Stonebridge: 1 . . . 6 1
        Abara: . 1 4 . . nb1 .
        Thackeray: . 4 b2 6 1 4
        Kowalczyk: 1 Wb . 1 1 Wst=Rasmussen
        Stonebridge: Wc=Voss 1 1 . . 4
        Abara: 4 1 . 4 2 .
        Whitlock: . 6 6 Wro=Dlamini . 1
        Thackeray: . Wc=Rasmussen 1 . 1 lb1
        Kowalczyk: 2 1 . . 1 .
        Ferreira: Wb . . . 1 .
        Whitlock: 4 . . 2 . 1

        innings Iron Hill
        Castellano: 1 Wb . wd . 2 nb1 .
        Nakamura: 2 4 . 1 . 2
        Tolliver: . Wc=Halloran . 4 1 2
        Castellano: 1 . 4 1 wd 1 1
        Brandt: . . 4 . 1 .
        Nakamura: . . . 1 . .
        Tolliver: 1 1 . wd 4 Wlbw 2
        Adeyemi: . 1 . 2 4 4
        pause rain 40
        Brandt: 1 1 . 4 . 4
        Adeyemi: 6 1 1 4 4 1
        Castellano: lb1 . . 1 4 3
        Tolliver: 1 lb1 6 4 1 .
        Brandt: 1 Wst=Lindqvist 1 1 1 2
        Adeyemi: 1 Wc=Osei 1 4>3 2 1
        Nakamura: 4 1 1 1 1 wd 1
        Castellano: . . 1 . 4 .
        Tolliver: . 2 Wb Wlbw Wc=Vasquez 2
        Brandt: 1 . 4 . 6 1
        Nakamura: 1 4 . nb1 1 1 .
        Tolliver: . 6 1 lb1 4
        """
}
