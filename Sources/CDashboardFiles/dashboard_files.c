#include "dashboard_files.h"

// The files are embedded as they are: no build step, and nothing to install beside the program. The tests hold this list
// against the folder.

static const unsigned char index_html[] = {
#embed "page/index.html"
};
static const unsigned char overlay_html[] = {
#embed "page/overlay.html"
};
static const unsigned char icons_apple_touch_icon_png[] = {
#embed "page/icons/apple-touch-icon.png"
};
static const unsigned char icons_icon_svg[] = {
#embed "page/icons/icon.svg"
};
static const unsigned char manifest_webmanifest[] = {
#embed "page/manifest.webmanifest"
};
static const unsigned char service_worker_js[] = {
#embed "page/service-worker.js"
};
static const unsigned char scripts_api_js[] = {
#embed "page/scripts/api.js"
};
static const unsigned char scripts_charts_js[] = {
#embed "page/scripts/charts.js"
};
static const unsigned char scripts_coherence_js[] = {
#embed "page/scripts/coherence.js"
};
static const unsigned char scripts_dialogs_js[] = {
#embed "page/scripts/dialogs.js"
};
static const unsigned char scripts_dom_js[] = {
#embed "page/scripts/dom.js"
};
static const unsigned char scripts_events_js[] = {
#embed "page/scripts/events.js"
};
static const unsigned char scripts_main_js[] = {
#embed "page/scripts/main.js"
};
static const unsigned char scripts_offline_js[] = {
#embed "page/scripts/offline.js"
};
static const unsigned char scripts_overlay_js[] = {
#embed "page/scripts/overlay.js"
};
static const unsigned char scripts_plots_js[] = {
#embed "page/scripts/plots.js"
};
static const unsigned char scripts_preferences_js[] = {
#embed "page/scripts/preferences.js"
};
static const unsigned char scripts_sleep_js[] = {
#embed "page/scripts/sleep.js"
};
static const unsigned char scripts_store_js[] = {
#embed "page/scripts/store.js"
};
static const unsigned char scripts_stress_js[] = {
#embed "page/scripts/stress.js"
};
static const unsigned char scripts_theme_js[] = {
#embed "page/scripts/theme.js"
};
static const unsigned char scripts_words_js[] = {
#embed "page/scripts/words.js"
};
static const unsigned char styles_base_css[] = {
#embed "page/styles/base.css"
};
static const unsigned char styles_components_css[] = {
#embed "page/styles/components.css"
};
static const unsigned char styles_overlay_css[] = {
#embed "page/styles/overlay.css"
};
static const unsigned char styles_views_css[] = {
#embed "page/styles/views.css"
};
static const unsigned char vendor_license_dygraphs_txt[] = {
#embed "page/vendor/LICENSE-dygraphs.txt"
};
static const unsigned char vendor_dygraph_css[] = {
#embed "page/vendor/dygraph.css"
};
static const unsigned char vendor_dygraph_min_js[] = {
#embed "page/vendor/dygraph.min.js"
};
static const unsigned char scripts_views_access_js[] = {
#embed "page/scripts/views/access.js"
};
static const unsigned char scripts_views_breathing_js[] = {
#embed "page/scripts/views/breathing.js"
};
static const unsigned char scripts_views_compare_js[] = {
#embed "page/scripts/views/compare.js"
};
static const unsigned char scripts_views_sync_js[] = {
#embed "page/scripts/views/sync.js"
};
static const unsigned char scripts_views_doctor_js[] = {
#embed "page/scripts/views/doctor.js"
};
static const unsigned char scripts_views_edit_js[] = {
#embed "page/scripts/views/edit.js"
};
static const unsigned char scripts_views_history_js[] = {
#embed "page/scripts/views/history.js"
};
static const unsigned char scripts_views_night_js[] = {
#embed "page/scripts/views/night.js"
};
static const unsigned char scripts_views_nights_js[] = {
#embed "page/scripts/views/nights.js"
};
static const unsigned char scripts_views_now_js[] = {
#embed "page/scripts/views/now.js"
};
static const unsigned char scripts_views_pairing_js[] = {
#embed "page/scripts/views/pairing.js"
};
static const unsigned char scripts_views_reading_js[] = {
#embed "page/scripts/views/reading.js"
};
static const unsigned char scripts_views_restore_js[] = {
#embed "page/scripts/views/restore.js"
};
static const unsigned char scripts_views_rules_js[] = {
#embed "page/scripts/views/rules.js"
};
static const unsigned char scripts_views_session_js[] = {
#embed "page/scripts/views/session.js"
};
static const unsigned char scripts_views_settings_js[] = {
#embed "page/scripts/views/settings.js"
};
static const unsigned char scripts_views_sleeptrends_js[] = {
#embed "page/scripts/views/sleeptrends.js"
};
static const unsigned char scripts_views_tonight_js[] = {
#embed "page/scripts/views/tonight.js"
};
static const unsigned char scripts_views_trends_js[] = {
#embed "page/scripts/views/trends.js"
};
static const unsigned char scripts_views_welcome_js[] = {
#embed "page/scripts/views/welcome.js"
};
static const unsigned char openapi_yaml[] = {
#embed "api/paths.yaml"
    ,
#embed "api/schemas.yaml"
};

#define FILE_OF(path, bytes) {path, bytes, sizeof bytes}

static const struct dashboard_file files[] = {
    FILE_OF("index.html", index_html),
    FILE_OF("overlay.html", overlay_html),
    FILE_OF("icons/apple-touch-icon.png", icons_apple_touch_icon_png),
    FILE_OF("icons/icon.svg", icons_icon_svg),
    FILE_OF("manifest.webmanifest", manifest_webmanifest),
    FILE_OF("service-worker.js", service_worker_js),
    FILE_OF("scripts/api.js", scripts_api_js),
    FILE_OF("scripts/charts.js", scripts_charts_js),
    FILE_OF("scripts/coherence.js", scripts_coherence_js),
    FILE_OF("scripts/dialogs.js", scripts_dialogs_js),
    FILE_OF("scripts/dom.js", scripts_dom_js),
    FILE_OF("scripts/events.js", scripts_events_js),
    FILE_OF("scripts/main.js", scripts_main_js),
    FILE_OF("scripts/offline.js", scripts_offline_js),
    FILE_OF("scripts/overlay.js", scripts_overlay_js),
    FILE_OF("scripts/plots.js", scripts_plots_js),
    FILE_OF("scripts/preferences.js", scripts_preferences_js),
    FILE_OF("scripts/sleep.js", scripts_sleep_js),
    FILE_OF("scripts/store.js", scripts_store_js),
    FILE_OF("scripts/stress.js", scripts_stress_js),
    FILE_OF("scripts/theme.js", scripts_theme_js),
    FILE_OF("scripts/words.js", scripts_words_js),
    FILE_OF("styles/base.css", styles_base_css),
    FILE_OF("styles/components.css", styles_components_css),
    FILE_OF("styles/overlay.css", styles_overlay_css),
    FILE_OF("styles/views.css", styles_views_css),
    FILE_OF("vendor/LICENSE-dygraphs.txt", vendor_license_dygraphs_txt),
    FILE_OF("vendor/dygraph.css", vendor_dygraph_css),
    FILE_OF("vendor/dygraph.min.js", vendor_dygraph_min_js),
    FILE_OF("scripts/views/access.js", scripts_views_access_js),
    FILE_OF("scripts/views/breathing.js", scripts_views_breathing_js),
    FILE_OF("scripts/views/compare.js", scripts_views_compare_js),
    FILE_OF("scripts/views/doctor.js", scripts_views_doctor_js),
    FILE_OF("scripts/views/sync.js", scripts_views_sync_js),
    FILE_OF("scripts/views/edit.js", scripts_views_edit_js),
    FILE_OF("scripts/views/history.js", scripts_views_history_js),
    FILE_OF("scripts/views/night.js", scripts_views_night_js),
    FILE_OF("scripts/views/nights.js", scripts_views_nights_js),
    FILE_OF("scripts/views/now.js", scripts_views_now_js),
    FILE_OF("scripts/views/pairing.js", scripts_views_pairing_js),
    FILE_OF("scripts/views/reading.js", scripts_views_reading_js),
    FILE_OF("scripts/views/restore.js", scripts_views_restore_js),
    FILE_OF("scripts/views/rules.js", scripts_views_rules_js),
    FILE_OF("scripts/views/session.js", scripts_views_session_js),
    FILE_OF("scripts/views/settings.js", scripts_views_settings_js),
    FILE_OF("scripts/views/sleeptrends.js", scripts_views_sleeptrends_js),
    FILE_OF("scripts/views/tonight.js", scripts_views_tonight_js),
    FILE_OF("scripts/views/trends.js", scripts_views_trends_js),
    FILE_OF("scripts/views/welcome.js", scripts_views_welcome_js),
    FILE_OF("openapi.yaml", openapi_yaml),
};

const size_t dashboard_file_count = sizeof files / sizeof files[0];

const struct dashboard_file *dashboard_file_at(size_t index) { return &files[index]; }
