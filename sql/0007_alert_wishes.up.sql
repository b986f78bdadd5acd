-- What the person behind an activity wants to be told of on it: a copy beside its token, where the fan-out looks.
alter table activity
    -- Bits: 1 wicket, 2 milestone, 4 result, 8 start, 16 and 32 for the first and the second side alone
    add column wish smallint not null default 15;
-- Few people choose anything, and few devices are never to make a sound: these are looked up at every registration.
create index follow_of_choice on follow (bucket, device_id, match_id) where alerts <> 15 or team_intent <> 0;
create index device_without_sound on device (bucket, device_id) where quiet_from is not null or abilities & 4 = 0;
update activity a set wish = f.alerts | (f.team_intent << 4)
from follow f
where f.match_id = a.match_id and f.bucket = a.bucket and f.device_id = a.device_id and f.wants = 1
  and (f.alerts <> 15 or f.team_intent <> 0);
update activity a set wish = 0
from device d
where d.bucket = a.bucket and d.device_id = a.device_id and (d.quiet_from is not null or d.abilities & 4 = 0);
