-- The matches that nothing comes of any more, and since when: those that are over, and those dropped before they began.
create view ended_match as
select match_id, case phase when 3 then over_at else removed_at end as ended_at
from match
where phase = 3 or phase = 0 and removed_at is not null;
