alter table channel drop column superseded_at;
