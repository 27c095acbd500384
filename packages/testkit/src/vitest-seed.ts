import fc from 'fast-check';

/**
 * Property tests generate the same cases in each run, so that a failure means a change and not luck. `SLUICE_TEST_SEED`
 * is a whole number for other cases, or `random` for new ones in each run.
 */
const { SLUICE_TEST_SEED: params = '1' } = process.env;
if (params !== 'random') fc.configureGlobal({ seed: Number(params) });
