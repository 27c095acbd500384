import fc from 'fast-check';

/**
 * Property tests generate the same cases in each run, so that a failure is caused by a change. `SLUICE_TEST_SEED` is a
 * whole number for other cases, or `random` for new ones in each run.
 */
const { SLUICE_TEST_SEED: seed = '1' } = process.env;
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });
