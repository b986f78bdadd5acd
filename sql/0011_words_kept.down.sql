-- Older servers take a word that has ended for one that never was.
delete from match_override where expires_at <= now();
alter table match_override drop column feed_says;
alter table match drop column held_at, drop column held_rev;
