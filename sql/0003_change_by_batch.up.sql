-- One row notes all that a transaction changed in a match: measured, a row for each activity took a quarter of the speed.
-- Changes are followed for minutes only; nodes that start after this read the tables themselves.
drop table change;
create table change (
    xid      xid8 not null default pg_current_xact_id(),
    match_id text not null,
    -- Two lists of the same length
    buckets  smallint[] not null,
    devices  uuid[] not null
);
-- Long lists go to the side as they are: ids do not compress.
alter table change alter column devices set storage external, alter column buckets set storage external;
create index change_by_xid on change (xid);
