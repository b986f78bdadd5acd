-- When the activities of a channel were ended for its silence: one end for each silence.
alter table channel add column swept_at timestamptz;
