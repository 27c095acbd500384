export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** `public/theme.js` reads the same item before the first paint. */
const STORED = 'sluice-theme';

export function currentTheme(): Theme {
  const stored = localStorage.getItem(STORED);
  return THEMES.find((theme) => theme === stored) ?? 'system';
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') {
    localStorage.removeItem(STORED);
    delete document.documentElement.dataset['theme'];
  } else {
    localStorage.setItem(STORED, theme);
    document.documentElement.dataset['theme'] = theme;
  }
}
