-- What the parts of an order above amounts of its own ask for: [{"above": "100000.00", "percent": "5.00"}], rising. Null: the whole asks for the same.
alter table instrument_terms add column margin_steps jsonb check (jsonb_typeof(margin_steps) = 'array' and jsonb_array_length(margin_steps) between 1 and 10);
