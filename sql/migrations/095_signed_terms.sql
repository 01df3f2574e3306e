-- Changes of what an account costs, and of margin, take two where the house says so.
alter table signature_rules drop constraint signature_rules_deed_check;
alter table signature_rules add constraint signature_rules_deed_check check (deed in ('deposit', 'withdrawal', 'wallet', 'compliance', 'erase', 'costs', 'margin'));
insert into signature_rules (deed, is_on, above) values ('costs', false, null), ('margin', false, null);
