//! The one line that makes a library a plugin.

/// Makes the library a plugin with one or more bindings.
///
/// ```ignore
/// ycsb_plugin_api::export_plugin!(blocking Mongo, tokio MongoAsync);
/// ```
///
/// `blocking` stands before a [`Binding`](crate::Binding), `tokio` before an
/// [`AsyncBinding`](crate::AsyncBinding). It may stand once in a library. Panics have to unwind, or one
/// would end the host: with `panic = "abort"` the line does not compile.
#[macro_export]
macro_rules! export_plugin {
    ($($flavour:ident $binding:ty),+ $(,)?) => {
        const _: () = {
            #[cfg(panic = "abort")]
            ::core::compile_error!(
                "a ycsb-host plugin needs panic = \"unwind\": under \"abort\" a panic in the plugin would end \
                 the host; remove panic = \"abort\" from the profile"
            );

            struct ThisLibrary;

            impl $crate::border::Library for ThisLibrary {
                const EXPORTS: &'static [$crate::border::Export] =
                    &[$($crate::__export_binding!($flavour $binding)),+];

                fn manifests() -> &'static $crate::border::Manifests {
                    static MANIFESTS: $crate::border::Manifests = $crate::border::Manifests::new();
                    &MANIFESTS
                }
            }

            #[unsafe(no_mangle)]
            #[allow(non_upper_case_globals)]
            pub static _1as_0lib_1header_0root_bmodule_bloader: $crate::abi::abi_stable::library::LibHeader =
                $crate::border::header::<ThisLibrary>();
        };
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __export_binding {
    (blocking $binding:ty) => {
        $crate::border::Export::blocking::<$binding>(::core::env!("CARGO_PKG_VERSION"))
    };
    (tokio $binding:ty) => {
        $crate::__export_tokio!($binding)
    };
}

#[cfg(feature = "tokio")]
#[doc(hidden)]
#[macro_export]
macro_rules! __export_tokio {
    ($binding:ty) => {
        $crate::border::Export::tokio::<$binding>(::core::env!("CARGO_PKG_VERSION"))
    };
}

#[cfg(not(feature = "tokio"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __export_tokio {
    ($binding:ty) => {
        ::core::compile_error!("an async binding needs the feature \"tokio\" of ycsb-plugin-api")
    };
}
