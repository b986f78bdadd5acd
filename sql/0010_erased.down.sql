delete from device where erased_at is not null;
alter table device drop column erased_at;
