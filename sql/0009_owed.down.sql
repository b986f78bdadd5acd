alter table fanout drop column owed;
