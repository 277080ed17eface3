// Runs before the first paint, so that the page never flashes in the other theme. The rest reads preferences.js.
try {
  const theme = JSON.parse(localStorage.getItem("tachogram") ?? "{}").theme;
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Without storage, or with a damaged one, the system's theme it is.
}
