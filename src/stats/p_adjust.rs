//! p values adjusted for the number of tests in their family.
//!
//! Implements `statistics.md` §5, `p_adjust`, and §1 "Multiplicity": an undefined p stays undefined and is not counted.

/// How p values of a family are adjusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adjustment {
    /// Holm (1979): family-wise, the default of `resolved` and of primary rows.
    Holm,
    /// Bonferroni: family-wise.
    Bonferroni,
    /// Benjamini and Hochberg (1995): false discovery rate, the default of behaviours.
    Bh,
    /// Benjamini and Yekutieli (2001): false discovery rate under any dependence.
    By,
}

/// The adjusted p in the order given.
pub fn p_adjust(p: &[Option<f64>], method: Adjustment) -> Vec<Option<f64>> {
    let mut defined: Vec<(usize, f64)> =
        p.iter().enumerate().filter_map(|(place, value)| Some((place, (*value)?))).collect();
    defined.sort_by(|a, b| a.1.total_cmp(&b.1));
    let ascending: Vec<f64> = defined.iter().map(|&(_, value)| value).collect();
    let mut adjusted = vec![None; p.len()];
    for (&(place, _), value) in defined.iter().zip(adjust_ascending(&ascending, method)) {
        adjusted[place] = Some(value.min(1.0));
    }
    adjusted
}

fn adjust_ascending(p: &[f64], method: Adjustment) -> Vec<f64> {
    let m = p.len() as f64;
    let step_up = |factor: f64| {
        let mut values: Vec<f64> =
            p.iter().enumerate().map(|(i, x)| x * factor * m / (i + 1) as f64).collect();
        for i in (1..values.len()).rev() {
            values[i - 1] = values[i - 1].min(values[i]);
        }
        values
    };
    match method {
        Adjustment::Bonferroni => p.iter().map(|x| x * m).collect(),
        Adjustment::Bh => step_up(1.0),
        Adjustment::By => step_up((1..=p.len()).map(|i| 1.0 / i as f64).sum()),
        Adjustment::Holm => {
            let mut values: Vec<f64> = p.iter().enumerate().map(|(i, x)| x * (m - i as f64)).collect();
            for i in 1..values.len() {
                values[i] = values[i].max(values[i - 1]);
            }
            values
        }
    }
}
