alter table channel drop column swept_at;
