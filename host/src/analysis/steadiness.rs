//! Whether a run was steady: trend and variation of a figure over its intervals.

/// Intervals below which nothing can be said.
pub(super) const FEWEST_INTERVALS: usize = 8;

/// How a figure moved over the intervals of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steadiness {
    /// Change from the first interval to the last along the fitted line, as a share of the mean.
    pub trend: f64,
    /// The slope divided by its standard error: beyond 3 or so it is no accident.
    pub significance: f64,
    /// Standard deviation around the fitted line, as a share of the mean.
    pub variation: f64,
}

/// Fits a line through figures of equally long intervals, by least squares. `None` for too few of them, or a mean
/// that is not above 0.
pub fn steadiness(figures: &[f64]) -> Option<Steadiness> {
    if figures.len() < FEWEST_INTERVALS {
        return None;
    }
    let n = figures.len() as f64;
    let mean = figures.iter().sum::<f64>() / n;
    if mean <= 0.0 {
        return None;
    }
    let middle = (n - 1.0) / 2.0;
    let spread: f64 = (0..figures.len()).map(|i| (i as f64 - middle).powi(2)).sum();
    let joint: f64 = figures.iter().enumerate().map(|(i, y)| (i as f64 - middle) * (y - mean)).sum();
    let slope = joint / spread;
    let residual: f64 =
        figures.iter().enumerate().map(|(i, y)| (y - mean - slope * (i as f64 - middle)).powi(2)).sum();
    let standard_error = (residual / (n - 2.0) / spread).sqrt();
    Some(Steadiness {
        trend: slope * (n - 1.0) / mean,
        significance: if standard_error > 0.0 {
            slope.abs() / standard_error
        } else if slope == 0.0 {
            0.0
        } else {
            f64::INFINITY
        },
        variation: (residual / (n - 2.0)).sqrt() / mean,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_trend_without_variation() {
        let figures: Vec<f64> = (0..11).map(|i| 100.0 + 2.0 * f64::from(i)).collect();
        let found = steadiness(&figures).unwrap();
        // From 100 to 120 around a mean of 110.
        assert!((found.trend - 20.0 / 110.0).abs() < 1e-12, "{found:?}");
        assert!(found.variation < 1e-9 && found.significance > 1e6, "{found:?}");
    }

    #[test]
    fn figures_that_alternate_vary_without_a_trend() {
        let figures: Vec<f64> = (0..10).map(|i| if i % 4 < 2 { 50.0 } else { 150.0 }).collect();
        let found = steadiness(&figures).unwrap();
        assert!(found.variation > 0.5 && found.significance < 1.0, "{found:?}");
    }

    #[test]
    fn constant_figures_are_steady_and_few_say_nothing() {
        assert_eq!(
            steadiness(&[5.0; 20]),
            Some(Steadiness { trend: 0.0, significance: 0.0, variation: 0.0 })
        );
        assert_eq!(steadiness(&[5.0; FEWEST_INTERVALS - 1]), None);
        assert_eq!(steadiness(&[0.0; 20]), None);
    }
}
