-- Erasing a client takes two, unless the house says otherwise: nothing brings back what is erased.
alter table signature_rules drop constraint signature_rules_deed_check;
alter table signature_rules add constraint signature_rules_deed_check check (deed in ('deposit', 'withdrawal', 'wallet', 'compliance', 'erase'));
insert into signature_rules (deed, is_on, above) values ('erase', true, null);
