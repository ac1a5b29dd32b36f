// Light or dark: as the system has it, until somebody says otherwise.
function startTheme() {
  const button = document.getElementById("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  let own = null;
  try {
    own = localStorage.getItem("steelyard-theme");
  } catch {
    own = null; // a page from a file may have no storage
  }
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
  const tell = () => {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-label", isDark() ? "Light colours" : "Dark colours");
  };
  if (own === "light" || own === "dark") root.dataset.theme = own;
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try {
      localStorage.setItem("steelyard-theme", root.dataset.theme);
    } catch {
      // It holds until the page is closed.
    }
    tell();
  });
  dark.addEventListener("change", tell);
  button.hidden = false;
  tell();
}
