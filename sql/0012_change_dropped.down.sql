do $$
begin
    for part in 0..7 loop
        execute format('alter table activity_%s reset (autovacuum_vacuum_scale_factor)', part);
        execute format('alter table fanout_%s reset (autovacuum_vacuum_scale_factor)', part);
    end loop;
end $$;
drop table change_dropped;
