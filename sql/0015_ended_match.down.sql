drop view ended_match;
