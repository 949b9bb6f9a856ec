//! Configurations and settings can be kept, and passed between threads.

// The compiler checks each type. `types_can_be_shared_between_threads` in crate voxlint checks that none is missing here.
const _: () = {
    const fn is_shared<T: Send + Sync>() {}

    is_shared::<voxlint_config::BaseSetting>();
    is_shared::<voxlint_config::Baseline>();
    is_shared::<voxlint_config::BaselineEntry>();
    is_shared::<voxlint_config::BaselineError>();
    is_shared::<voxlint_config::CommentState>();
    is_shared::<voxlint_config::Configuration>();
    is_shared::<voxlint_config::Date>();
    is_shared::<voxlint_config::DateError>();
    is_shared::<voxlint_config::FileBaseline<'static>>();
    is_shared::<voxlint_config::FileReport>();
    is_shared::<voxlint_config::FileSettings<'static>>();
    is_shared::<voxlint_config::Checked>();
    is_shared::<voxlint_config::Level>();
    is_shared::<voxlint_config::LevelError>();
    is_shared::<voxlint_config::LoadError>();
    is_shared::<voxlint_config::Looser>();
    is_shared::<voxlint_config::Pattern>();
    is_shared::<voxlint_config::ReadError>();
    is_shared::<voxlint_config::RelatedPattern>();
    is_shared::<voxlint_config::CheckSettings<'static>>();
    is_shared::<voxlint_config::ResolvedSetting>();
    is_shared::<voxlint_config::RuleSelection>();
    is_shared::<voxlint_config::SettingSource>();
    is_shared::<voxlint_config::Sourced<u8>>();
    is_shared::<voxlint_config::SuppressionMode>();
    is_shared::<voxlint_config::SuppressionUsage>();
    is_shared::<voxlint_config::UnknownRule>();
    is_shared::<voxlint_config::UnmatchedPattern>();
    is_shared::<voxlint_config::VisitedPaths>();
};
