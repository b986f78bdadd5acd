drop view shown_match;
