//! Files that are no plugins: each is refused with its own message before any of its code can harm.

use crate::support::{Place, plugins};

/// The library is refused with these parts in one message, and nothing is run.
fn refused(place: &Place, path: &str, code: i32, parts: &[&str]) {
    let ran = place.line(&format!("run {path} -p workload=core -p recordcount=1 -p operationcount=1"));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(code), ""), "{path}: {ran:?}");
    assert_eq!(ran.messages().len(), 1, "{path}: {ran:?}");
    for part in parts.iter().chain([&path]) {
        assert!(ran.messages()[0].contains(part), "{path}: {part:?} is missing in {}", ran.messages()[0]);
    }
}

fn noop() -> Vec<u8> {
    std::fs::read(plugins().join("libycsb_noop.so")).expect("the library of noop")
}

#[test]
fn files_that_are_no_libraries_are_refused() {
    let place = Place::new();
    refused(&place, "./libycsb_missing.so", 2, &["there is no file", "give the path of a libycsb_NAME.so"]);
    std::fs::create_dir(place.path("libycsb_folder.so")).expect("a folder");
    refused(&place, "./libycsb_folder.so", 3, &["is not a regular file", "install it again"]);
    place.file("libycsb_empty.so", "").file("libycsb_text.so", "just some text\n");
    refused(&place, "./libycsb_empty.so", 3, &["plugin empty: ", "is empty"]);
    refused(&place, "./libycsb_text.so", 3, &["plugin text: ", "no ELF header"]);
}

#[test]
fn libraries_that_are_cut_off_or_of_another_machine_are_refused() {
    let place = Place::new();
    let whole = noop();
    // What follows the segments, such as debug information, is not loaded.
    for length in [10, 100, 5_000, 100_000] {
        place.file("libycsb_cut.so", &whole[..length]);
        refused(&place, "./libycsb_cut.so", 3, &["is truncated", "build or install it again"]);
    }
    let mut foreign = whole;
    // The machine's number; 8 is MIPS.
    foreign[18..20].copy_from_slice(&[8, 0]);
    place.file("libycsb_foreign.so", foreign);
    refused(&place, "./libycsb_foreign.so", 3, &["was built for another machine", "machine 8"]);
}

/// Compiles a library of C; `None` where there is no compiler, which a linker of Rust needs anyway.
fn compiled(place: &Place, name: &str, source: &str, arguments: &[&str]) {
    place.file("source.c", source);
    let status = std::process::Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .args([place.path(name), place.path("source.c")])
        .args(arguments)
        .status()
        .expect("cc, which linking needs too");
    assert!(status.success(), "{name}");
}

#[test]
fn plain_libraries_and_those_that_lack_something_are_refused() {
    let place = Place::new();
    compiled(&place, "libycsb_plain.so", "int answer(void) { return 42; }\n", &[]);
    refused(&place, "./libycsb_plain.so", 3, &["is not a ycsb-host plugin", "exports the plugin interface"]);
    let lacking =
        "int no_such_function_anywhere(void); int call(void) { return no_such_function_anywhere(); }\n";
    compiled(&place, "libycsb_lacking.so", lacking, &[]);
    refused(
        &place,
        "./libycsb_lacking.so",
        3,
        &["undefined symbol: no_such_function_anywhere", "install what it needs"],
    );
}
