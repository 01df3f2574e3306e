-- Each version of a group's and of an instrument's terms is a record of the public log: those that there are by now are told, too.
insert into proof_outbox (kind, ref) select 'group', group_id || ':' || version from group_versions order by created_at, group_id, version;
insert into proof_outbox (kind, ref) select 'instrument', symbol || ':' || version from instrument_terms order by created_at, symbol;
