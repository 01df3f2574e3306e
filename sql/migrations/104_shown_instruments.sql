-- An instrument may be shown with its prices while nobody deals in it, as before it opens or after it has closed.
alter table instrument_terms
  drop constraint instrument_terms_state_check,
  add constraint instrument_terms_state_check check (state in ('tradable', 'close_only', 'shown', 'hidden'));
