-- When a device was erased: nothing else is left in its row, which keeps late calls of it out for thirty days. It makes
-- no sound, so that the index of those which do not finds it at a registration.
alter table device add column erased_at timestamptz;
create index device_erased on device (erased_at) where erased_at is not null;
