//! Points in time as UTC milliseconds. Reads no clock.

/// `2025-06-01T12:00:00[.123456][Z|+02:00]` as UTC milliseconds; a time without a zone is taken as UTC.
pub fn iso(text: &str) -> Option<i64> {
    let text = text.trim();
    let digits = |range: std::ops::Range<usize>| -> Option<i64> {
        let part = text.get(range)?;
        part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse().ok())?
    };
    let (year, month, day) = (digits(0..4)?, digits(5..7)?, digits(8..10)?);
    let separators = text.get(4..5)? == "-" && text.get(7..8)? == "-";
    if !separators || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    if text.len() == 10 {
        return Some(days(year, month, day) * 86_400_000);
    }
    if !matches!(text.get(10..11)?, "T" | " " | "t") {
        return None;
    }
    let (hour, minute, second) = (digits(11..13)?, digits(14..16)?, digits(17..19)?);
    if hour > 24 || minute > 59 || second > 60 {
        return None;
    }
    let mut rest = text.get(19..)?;
    let mut milliseconds = 0;
    if let Some(fraction) = rest.strip_prefix(['.', ',']) {
        let end = fraction.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(fraction.len());
        milliseconds = format!("{:0<3}", &fraction[..end]).get(..3)?.parse().ok()?;
        rest = &fraction[end..];
    }
    let offset = zone(rest.trim())?;
    let seconds = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset;
    Some(seconds * 1000 + milliseconds)
}

/// Seconds east of Greenwich.
fn zone(text: &str) -> Option<i64> {
    if text.is_empty() || text.eq_ignore_ascii_case("z") || text.eq_ignore_ascii_case("utc") {
        return Some(0);
    }
    let sign = match text.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let digits: String = text[1..].chars().filter(char::is_ascii_digit).collect();
    let hours: i64 = digits.get(..2)?.parse().ok()?;
    let minutes: i64 = digits.get(2..4).map_or(Some(0), |part| part.parse().ok())?;
    Some(sign * (hours * 3600 + minutes * 60))
}

/// Days since 1970-01-01 of a day of the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let shifted = if month <= 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let year_of_era = shifted.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}
