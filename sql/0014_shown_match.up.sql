-- The matches that phones show: by steps through the index of activities, one probe for each match, by however many.
create view shown_match as
with recursive step(match_id) as (
    (select match_id from activity order by match_id limit 1)
    union all
    select (select a.match_id from activity a where a.match_id > s.match_id order by a.match_id limit 1)
    from step s where s.match_id is not null
)
select match_id from step where match_id is not null;
