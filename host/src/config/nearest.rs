//! Did you mean: the declared words nearest to a word that is not known.

/// Words that `text` may have been meant to be, the nearest first: at most three.
///
/// Ranked by optimal string alignment distance, which counts a swap of neighbours as one mistake, then by
/// Jaro-Winkler similarity. Case is ignored.
pub fn nearest<'a>(text: &str, words: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let typed = text.to_lowercase();
    let mut ranked: Vec<(usize, f64, &str)> = words
        .into_iter()
        .map(|word| {
            let lower = word.to_lowercase();
            (strsim::osa_distance(&typed, &lower), strsim::jaro_winkler(&typed, &lower), word)
        })
        .filter(|(distance, similarity, word)| {
            *distance <= 1 + word.chars().count() / 4 || *similarity >= 0.93
        })
        .collect();
    ranked.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(b.2)));
    ranked.dedup_by(|a, b| a.2 == b.2);
    let best = ranked.first().map_or(0, |first| first.0);
    ranked.retain(|(distance, _, _)| *distance <= best + 1);
    ranked.truncate(3);
    ranked.into_iter().map(|(_, _, word)| word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_counts_a_swap_as_one_mistake() {
        let words = ["readproportion", "scanproportion", "recordcount", "operationcount"];
        assert_eq!(nearest("readpropotion", words), ["readproportion"]);
        assert_eq!(nearest("recrodcount", words), ["recordcount"]);
        assert!(nearest("completely.else", words).is_empty());
    }
}
