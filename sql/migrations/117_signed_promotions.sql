-- Offering more for deposits takes two, unless the house says otherwise: whoever could do so alone could pay any bonus for a friend's deposit.
alter table signature_rules drop constraint signature_rules_deed_check;
alter table signature_rules add constraint signature_rules_deed_check
  check (deed in ('deposit', 'withdrawal', 'wallet', 'compliance', 'erase', 'costs', 'margin', 'promotion'));
insert into signature_rules (deed, is_on, above) values ('promotion', true, null);
