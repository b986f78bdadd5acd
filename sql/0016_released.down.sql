alter table match drop column released_at;
