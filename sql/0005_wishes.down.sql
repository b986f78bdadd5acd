alter table fanout drop column told_rev;
alter table device drop column quiet_from, drop column quiet_until;
alter table follow drop column surfaces;
