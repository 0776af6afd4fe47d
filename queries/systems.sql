-- T6, T7: what an arm is; arms of one system stand in one row or one column.
SELECT arm, role, system, scaffold
FROM arms
ORDER BY arm;
