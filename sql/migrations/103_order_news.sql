-- Orders that staff are told of: left by each in its own transaction, and put into words when they are numbered, many at once. What an order was
-- for is kept, since a part of it may be closed by then.
create table order_news (
  place bigint generated always as identity,
  position_id uuid not null,
  amount numeric(15, 2) not null
);
