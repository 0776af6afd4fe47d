-- What is known of the benchmarks of the store: family, size, day of release and harness (T9).
SELECT benchmark, family, kind, n, released, harness
FROM benchmarks
ORDER BY benchmark;
