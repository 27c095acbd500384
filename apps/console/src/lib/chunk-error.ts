/** Whether the code of a screen could not be loaded. Browsers, and Vite for styles, only say it in the message. */
export function isChunkError({ message }: Error): boolean {
  // Chromium and Firefox, Safari, and Vite.
  return /dynamically imported module|^Importing a module script failed|^Unable to preload/.test(message);
}
