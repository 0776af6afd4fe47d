-- T3: points of every series in their order. Shares and gains: Rust.
SELECT series, point, arm, stage, x
FROM series
ORDER BY series, point;
