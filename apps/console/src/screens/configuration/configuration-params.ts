/** Parameters in the URL. */
export const CONFIGURATION_PARAMS = ['section', 'find'] as const;

export type ConfigurationSearch = { [name in (typeof CONFIGURATION_PARAMS)[number]]?: string };
