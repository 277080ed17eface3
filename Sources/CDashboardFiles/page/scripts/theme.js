// Runs before the first paint, so that the page does not flash in the other theme. Other scripts use preferences.js.
try {
  const theme = JSON.parse(localStorage.getItem("tachogram") ?? "{}").theme;
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Without valid storage, the system's theme is used.
}
