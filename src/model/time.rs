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

/// The day of a moment, such as 2026-05-01.
pub fn day(milliseconds: i64) -> String {
    // The civil calendar counted from 1 March of year 0, so that the leap day ends a year.
    let shifted = milliseconds.div_euclid(86_400_000) + 719_468;
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096).div_euclid(365);
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let (day, month) =
        (day_of_year - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_the_one_that_was_read() {
        for text in
            ["1970-01-01", "1969-12-31", "2000-02-29", "2024-02-29", "2024-03-01", "2026-12-31", "1900-02-28"]
        {
            assert_eq!(day(iso(text).unwrap()), text);
        }
        assert_eq!(iso("2026-06-01"), Some(20_605 * 86_400_000));
    }
}
