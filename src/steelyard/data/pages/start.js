startTheme();
startLive();
document.documentElement.dataset.ready = "true";
