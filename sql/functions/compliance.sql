-- How much is known of people, and what that opens to them.

-- 0 registered, 1 email address verified, 2 identity, 3 identity and postal address. A document that has ended counts no more.
create or replace function person_level(person uuid) returns integer language sql stable as $$
  select case
    when u.kyc_status = 'verified' and not lapsed then case when settled then 3 else 2 end
    when u.is_email_verified then 1
    else 0
  end
  from users u
  cross join lateral (
    select
      coalesce(bool_or(kind = 'identity') and not bool_or(kind = 'identity' and (expires_on is null or expires_on >= current_date)), false) as lapsed,
      coalesce(bool_or(kind = 'address' and (expires_on is null or expires_on >= current_date)), false) as settled
    from documents
    where user_id = u.id and status = 'approved'
  ) d
  where u.id = person;
$$;
