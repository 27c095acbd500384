/** The gateway's secret in tests. */
export const RIG_SECRET = 'a secret of the rig';
