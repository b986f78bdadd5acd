-- Changes of older transactions are dropped: whoever has not read so far has missed some, and reads the tables anew.
create table change_dropped (
    only_row boolean primary key default true check (only_row),
    below    xid8 not null default '0'
) with (fillfactor = 50);
insert into change_dropped default values;

-- A fifth of a partition, as PostgreSQL waits for by itself, is a hundred thousand dead rows in a large match. Progress
-- is updated with every ball.
do $$
begin
    for part in 0..7 loop
        execute format('alter table activity_%s set (autovacuum_vacuum_scale_factor = 0.02)', part);
        execute format('alter table fanout_%s set (autovacuum_vacuum_scale_factor = 0.01)', part);
    end loop;
end $$;
