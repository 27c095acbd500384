/**
 * The server writes a relative `<base>`, so the path of the console is known only here: `/console/`, or below the
 * prefix of a proxy.
 */
const consoleUrl = new URL('.', document.baseURI);

export const CONSOLE_PATH = consoleUrl.pathname;
/** The API is one level above the console. */
export const API_ROOT = new URL('../', consoleUrl);
