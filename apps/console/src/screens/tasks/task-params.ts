/** Parameters of the list in the URL. All but `view` and `label` have the names of `GET /v1/tasks`. */
export const TASK_FILTERS = [
  'view',
  'status',
  'kind',
  'model',
  'key',
  'user',
  'label',
  'remixed_from',
  'after',
] as const;
