//! Opening and closing a binding.

use super::super::finding::{Checked, Finding, demand, different};
use super::super::kit::{Kit, Opening, record};
use super::super::overheard;
use super::super::question::Question;
use super::super::rule::Rule;
use ycsb_plugin_abi::{capability as can, status};

pub(super) const RULES: &[Rule] = &[
    Rule::new(
        "open.detail",
        "Opening says in one line what was connected to, and is of the flavour that the manifest declares.",
        detail,
    ),
    Rule::new(
        "open.secrets",
        "Secrets appear neither in what the binding says when it opens or fails to, nor in its log lines.",
        secrets,
    ),
    Rule::new("open.fresh", "A load that starts fresh finds nothing of what was there before.", fresh)
        .of_stores(can::INSERT | can::READ),
    Rule::new("open.again", "What was written is there when the binding is opened again for a run.", again)
        .of_stores(can::INSERT | can::READ),
    Rule::new(
        "open.absent_table",
        "A run on a table that was never loaded finds no record, or does not open and answers NOT_FOUND.",
        absent_table,
    )
    .of_stores(can::READ),
];

fn detail(kit: &Kit<'_>) -> Checked {
    let binding = kit.open(&kit.opening())?;
    let (said, is_async) = (binding.connected_to().to_owned(), binding.is_async());
    binding.close()?;
    demand(!said.trim().is_empty(), "one line", "nothing")?;
    demand(!said.contains('\n'), "one line", said.escape_debug())?;
    let flavour = |is_async| if is_async { "async" } else { "blocking" };
    let declared = kit.settled.info().is_async;
    demand(declared == is_async, flavour(declared), flavour(is_async))?;
    Ok(None)
}

/// A value that no server takes for a secret and that no message holds by chance.
const CANARY: &str = "canary-7c1f0f4e-never-show-this";

fn secrets(kit: &Kit<'_>) -> Checked {
    let declared: Vec<&str> = kit
        .settled
        .info()
        .properties
        .iter()
        .filter(|one| one.secret && !one.no_effect)
        .map(|one| one.name)
        .collect();
    if declared.is_empty() {
        return Err(Finding::NotSupported("the binding declares no secrets".to_owned()));
    }
    let given: Vec<String> = kit
        .plugin_settings
        .iter()
        .filter(|(name, value)| declared.contains(&name.as_str()) && value.len() >= 4)
        .map(|(_, value)| value.clone())
        .collect();
    overheard::take();
    let binding = kit.open(&kit.opening())?;
    let said = binding.connected_to().to_owned();
    binding.close()?;
    hides(&[said], &given)?;
    let mut settings = kit.plugin_settings.clone();
    settings.retain(|(name, _)| !declared.contains(&name.as_str()));
    settings.extend(declared.iter().map(|name| ((*name).to_owned(), CANARY.to_owned())));
    let said = match kit.try_open(&Opening { settings, ..kit.opening() }) {
        Ok(binding) => {
            let said = binding.connected_to().to_owned();
            binding.close()?;
            said
        }
        Err(failure) => failure.detail,
    };
    hides(&[said], &[CANARY.to_owned()])?;
    hides(&overheard::take(), &[given, vec![CANARY.to_owned()]].concat())?;
    Ok(None)
}

fn hides(said: &[String], secrets: &[String]) -> Result<(), Finding> {
    let tells = said.iter().find(|text| secrets.iter().any(|secret| text.contains(secret.as_str())));
    match tells {
        None => Ok(()),
        Some(text) => {
            let shown = secrets
                .iter()
                .fold(text.clone(), |text, secret| text.replace(secret.as_str(), "(the secret)"));
            Err(different("text without secrets", shown.escape_debug()))
        }
    }
}

fn fresh(kit: &Kit<'_>) -> Checked {
    if !kit.may_empty.get() {
        return Err(Finding::NotSupported("the kit may not empty this store (check.fresh)".to_owned()));
    }
    let key = kit.key("gone");
    kit.with_session(|session| kit.insert(session, &key, &record(&key, "before")).map(|()| None))?;
    kit.with_opening(&Opening { fresh: true, ..kit.opening() }, |sessions| {
        kit.is_absent(&sessions[0], &key)?;
        // An empty table is a table: it takes records.
        kit.insert(&sessions[0], &key, &record(&key, "after"))?;
        kit.holds(&sessions[0], &key, &record(&key, "after")).map(|()| None)
    })
}

fn again(kit: &Kit<'_>) -> Checked {
    let key = kit.key("kept");
    kit.with_session(|session| kit.insert(session, &key, &record(&key, 1)).map(|()| None))?;
    kit.with_opening(&Opening { run: true, ..kit.opening() }, |sessions| {
        kit.holds(&sessions[0], &key, &record(&key, 1)).map(|()| None)
    })
}

fn absent_table(kit: &Kit<'_>) -> Checked {
    let table = format!("{}_absent", kit.own.table);
    let opening = Opening { run: true, table, ..kit.opening() };
    let binding = match kit.try_open(&opening) {
        Ok(binding) => binding,
        Err(failure) if failure.status == status::NOT_FOUND => {
            demand(!failure.detail.is_empty(), "NOT_FOUND with a sentence", "NOT_FOUND alone")?;
            return Ok(Some(failure.detail));
        }
        Err(failure) => {
            let name = &kit.statuses.info(failure.status).name;
            return Err(different("an empty table, or NOT_FOUND", format!("{name} ({})", failure.detail)));
        }
    };
    let sessions = binding.gather(1)?;
    sessions.open_all()?;
    let question = Question::read(&kit.key("absent"));
    let told = question.told();
    sessions.sessions()[0].ask(question)?.ended_with(&told, &[status::NOT_FOUND])?;
    sessions.leave()?;
    binding.close()?;
    Ok(Some("the run opens and finds no record".to_owned()))
}
