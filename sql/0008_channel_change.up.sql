-- When the audience of a channel began to move to its next generation: nothing new is started on it from then on, but
-- it is kept up to date, without alerts, until those who are on it have the next one.
alter table channel add column superseded_at timestamptz;
