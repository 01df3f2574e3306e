-- What was written down of a day's money is what its requests and entries say.
select k.day from house_days k, house_day_of(k.day) h where /*new k.day >= :day and */ (h.deposits, h.withdrawals, h.revenue) <> (k.deposits, k.withdrawals, k.revenue);
