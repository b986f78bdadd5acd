-- Devices of a bucket that its sent_rev was recorded without, since Apple had no answer for them: whoever serves the
-- bucket tries them further, and a successor has to know of them. Null almost always.
alter table fanout add column owed uuid[];
