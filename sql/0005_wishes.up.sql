-- Where a person wants to see a match beside the activity, and when they want to be left alone.
alter table follow
    -- Bits: 1 widget, 2 control, 4 lock accessory, 8 standby
    add column surfaces smallint not null default 15;

alter table device
    -- Minutes after midnight by the phone's own clock; both or neither
    add column quiet_from  smallint,
    add column quiet_until smallint,
    add check ((quiet_from is null) = (quiet_until is null));

-- The newest revision whose moments were told by notification in a bucket; the term that fences it is the same.
alter table fanout add column told_rev bigint not null default 0;
