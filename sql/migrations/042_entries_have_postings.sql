-- At commit each new entry must have postings; that they sum to zero is looked at already.
create constraint trigger ledger_entry_has_postings
  after insert on ledger_entries deferrable initially deferred
  for each row execute function entry_balances();
