// Runs before the first paint, so that the page does not flash in the other theme.
const theme = localStorage.getItem('sluice-theme');
if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
