alter table device drop column list_seq;
alter table follow drop column since_seq;
