-- A client's timeline is read newest first however much the client has traded: what was closed, by when it was opened, and what somebody
-- other than the client closed. Both are of closed positions alone, so that an order pays nothing for them.
create index positions_closed_opened on positions (user_id, opened_at desc) where status = 'closed' and parent_id is null;
create index positions_closed_for on positions (user_id, closed_at desc) where close_reason in ('stop_out', 'admin');
