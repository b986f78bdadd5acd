-- Back to the key by match.
drop index activity_of_match;
alter table activity drop constraint activity_pkey;
alter table activity add primary key (match_id, bucket, device_id);
create index activity_of_device on activity (device_id);
