/** Parameters of the list in the URL. */
export const BATCH_FILTERS = ['key', 'status', 'model', 'after'] as const;
