-- The wide table of runs, as `report runs` writes it.
SELECT * FROM runs
ORDER BY arm, benchmark, instance_id, run;
