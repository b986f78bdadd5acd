drop table match_override;
drop table alias;
alter table match drop column silent_since, drop column removed_at;
alter table journal drop column feed_id, drop column provider, drop column seen_at;
