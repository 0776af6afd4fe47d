-- Counts and scores that are known without runs, as the study gives them (statistics.md 1, only totals known).
SELECT arm, benchmark, measure, k, source, runs, num, den, value, delta, unscored, reference, dated, headline
FROM aggregates
ORDER BY arm, benchmark, measure, k, source;
