/** Parameters in the URL. A vendor's key is never one of them. */
export const SETUP_PARAMS = ['vendor', 'model', 'tool'] as const;
