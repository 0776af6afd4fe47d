-- T6, T7: what was varied between arms.
SELECT arm, factor, level
FROM factors
ORDER BY arm, factor;
