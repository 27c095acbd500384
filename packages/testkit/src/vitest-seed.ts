import fc from 'fast-check';

/**
 * Property tests draw the same cases at each run, so that a red run means a change and not luck. `SLUICE_TEST_SEED`
 * takes any whole number and draws others, `SLUICE_TEST_SEED=random` new ones at each run.
 */
const { SLUICE_TEST_SEED: params = '1' } = process.env;
if (params !== 'random') fc.configureGlobal({ seed: Number(params) });
