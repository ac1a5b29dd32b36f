// The list of runs: everything is there already.
startTheme();
document.documentElement.dataset.ready = "true";
