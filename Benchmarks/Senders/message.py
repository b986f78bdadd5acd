"""The notification of the comparison."""

TITLE = "Wicket!"
BODY = "Rowan Stonebridge c Marlow b Tolliver 45(32)"
