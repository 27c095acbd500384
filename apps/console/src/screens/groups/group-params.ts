/** Parameters of the list in the URL. */
export const GROUP_FILTERS = ['key', 'status', 'after'] as const;

/** Parameters of the page of a group. */
export const GROUP_PARAMS = ['after'] as const;
