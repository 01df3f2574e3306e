-- What was booked since a day is found without reading the whole journal; entries lie in the order of their time, so a coarse index will do.
create index ledger_entries_time on ledger_entries using brin (created_at) with (autosummarize = on);
