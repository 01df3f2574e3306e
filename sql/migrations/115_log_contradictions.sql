-- What a witness, or the file of checkpoints, holds against the log of a name: while that log is the one of now, nothing is appended to it.
alter table proof_witnesses
  add column contradicted_origin text,
  add column contradiction text check (length(contradiction) between 1 and 500),
  add constraint proof_witnesses_contradicted check ((contradicted_origin is null) = (contradiction is null));
