-- Since when more than its limit is held of a symbol: staff were warned then, and are warned again only after it was clearly less.
alter table exposure_limits add column crossed_at timestamptz;
