drop index device_without_sound;
drop index follow_of_choice;
alter table activity drop column wish;
