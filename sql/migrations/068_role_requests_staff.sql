-- Which role of staff a request is for; null: an owner, as all were of the release before.
alter table role_requests add column staff_role text references staff_roles (id);
