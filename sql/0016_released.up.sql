-- When an operator let go of a match last: what phones show of it is silent by what was not sent since then.
alter table match add column released_at timestamptz;
