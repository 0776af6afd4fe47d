-- T3: scores from elsewhere beside the points of a series.
SELECT series, arm, measure, value, source
FROM external
ORDER BY series, arm, measure;
