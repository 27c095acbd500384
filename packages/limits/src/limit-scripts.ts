/** The folder of the limit scripts. The task scripts include `includes/budget` from here. */
export const LIMIT_SCRIPTS: URL = new URL('lua/', import.meta.url);
