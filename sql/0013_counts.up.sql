-- Of two calls that overtake one another the device's count decides, also where they concern different things.
alter table follow
    -- The count with which following last began: an older dismissal was of what was followed before
    add column since_seq bigint not null default 0;
alter table device
    -- The count of the newest whole list: an older follow of a match that it does not name is withdrawn by it
    add column list_seq bigint not null default 0;
