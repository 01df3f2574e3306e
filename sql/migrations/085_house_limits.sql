-- What the house may stand against in an instrument: what clients hold of it on live accounts, long less short.
alter table instrument_terms add column house_limit numeric(15, 2) check (house_limit > 0 and house_limit <> 'NaN');
