-- Back to one row for each changed activity.
drop table change;
create table change (
    xid       xid8 not null default pg_current_xact_id(),
    bucket    smallint not null,
    match_id  text not null,
    device_id uuid not null
);
create index change_by_xid on change (xid);
